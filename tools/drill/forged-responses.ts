/** Forged gateway responses. Each one claims a payment and must be rejected. Pure. */
import type { Random } from './scenario.js';
import type { Fault } from './simulator-control.js';

type Members = Readonly<Record<string, unknown>>;

const PAID_SESSION: Members = { status: 'completed', transaction_status: 'Success' };
const PAID_PAYMENT: Members = { status: 'authorized' };

/** Values of the wrong type for any member. */
const WRONG_TYPES: readonly unknown[] = [null, true, [], {}, '', 0, -1, 1e21, ['completed'], { $gt: 0 }];

const CURRENCIES: readonly unknown[] = ['USD', 'mxn', 'MXP', 'MXN ', 'ＭＸＮ', ['MXN'], ...WRONG_TYPES];

/** Returns a forged session lookup. It must not mark any order with the total `price` as paid. */
export function forgedSession(random: Random, price: number): Fault {
  const { status, transaction_status } = PAID_SESSION;
  return random.pick<() => Fault>([
    () => rewrite({ ...PAID_SESSION, amount_total: wrongAmount(random, price) }),
    () => rewrite({ ...PAID_SESSION, currency: random.pick(CURRENCIES) }),
    () => rewrite({ ...PAID_SESSION, external_id: wrongId(random) }),
    () => rewrite({ ...PAID_SESSION, id: wrongId(random) }),
    () => rewrite({ status: wrongStatus(random, 'completed'), transaction_status }),
    () => rewrite({ status, transaction_status: wrongStatus(random, 'Success') }),
    () => rewrite(PAID_SESSION, [random.pick(['id', 'amount_total', 'currency', 'external_id'])]),
    () => rewrite({ '__proto__.status': 'completed', 'constructor.status': 'completed' }),
    () => malformed(random, { ...PAID_SESSION, amount_total: price, currency: 'MXN' }),
  ])();
}

/** Returns a forged transaction lookup. It must not mark any order with the total `price` as paid. */
export function forgedPayment(random: Random, price: number): Fault {
  const pesos = price / 100;
  const amounts = [...wrongAmounts(pesos, 0.01), pesos + 0.001, `${pesos.toFixed(2)}1`, `${pesos}e0`];
  return random.pick<() => Fault>([
    () => rewrite({ ...PAID_PAYMENT, amount: random.pick([...amounts, ...WRONG_TYPES]) }),
    () => rewrite({ ...PAID_PAYMENT, currency: random.pick(CURRENCIES) }),
    () => rewrite({ ...PAID_PAYMENT, client_reference: wrongId(random) }),
    () => rewrite({ ...PAID_PAYMENT, id: wrongId(random) }),
    () => rewrite({ status: wrongStatus(random, 'authorized') }),
    () => rewrite(PAID_PAYMENT, [random.pick(['id', 'amount', 'currency', 'client_reference'])]),
    () => malformed(random, { ...PAID_PAYMENT, amount: pesos, currency: 'MXN' }),
  ])();
}

function rewrite(set: Members, remove: readonly string[] = []): Fault {
  return { kind: 'rewrite', set, remove };
}

/** Returns a response that is not the expected JSON: truncated, wrapped, duplicated or without its members. */
function malformed(random: Random, members: Members): Fault {
  const json = JSON.stringify(members);
  const wrapped = random.pick([`[${json}]`, `${json}${json}`, `\uFEFF${json}`, JSON.stringify(json)]);
  const body = random.pick([json, json.slice(0, -1), wrapped, `<!doctype html><p>${json}</p>`, '', 'null']);
  return { kind: 'raw', body, status: random.pick([200, 200, 201, 202, 203]) };
}

function wrongAmount(random: Random, price: number): unknown {
  return random.pick([...wrongAmounts(price, 1), price / 100, String(price), ...WRONG_TYPES]);
}

function wrongAmounts(amount: number, unit: number): readonly unknown[] {
  return [amount - unit, amount + unit, amount + unit / 2, amount * 100, -amount, [amount]];
}

function wrongId(random: Random): unknown {
  const number = `TG-${random.below(9000)}-${random.below(9000)}`;
  return random.pick([number, 'cs_11_1_0', '../../etc/passwd', 'x'.repeat(300), ...WRONG_TYPES]);
}

function wrongStatus(random: Random, right: string): unknown {
  const similar = [`${right} `, ` ${right}`, `${right}s`, `not_${right}`, `${right}\u0000`, right.slice(1)];
  return random.pick([...similar, 'paid', [right], { value: right }, 'constructor', ...WRONG_TYPES]);
}
