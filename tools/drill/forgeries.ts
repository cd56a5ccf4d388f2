/** Forged requests of an attacker, and forged gateway responses. None may mark an order as paid. Pure. */
import type { Random } from './scenario.js';
import type { Fault } from './simulator-control.js';

/** What an attacker may know: tokens of unpaid orders, and session ids of paid and unpaid orders. */
export interface AttackerKnowledge {
  readonly tokens: readonly string[];
  readonly unpaidSessions: readonly string[];
  readonly paidSessions: readonly string[];
}

export interface ForgedRequest {
  readonly target: string;
  readonly method: 'GET' | 'POST';
  readonly body?: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const QUERIES = [
  'status=success&paid=1&transaction_status=Success',
  'bypass=1&test=1&debug=1&mock=1',
  'amount=1&amount_total=1&currency=MXN',
  'payment_id[]=1&id[a]=b',
  'state=paid',
] as const;

const TOKENS = ['..%2f..%2fadmin', '%00', 'TG-7KMX-2AFR', "'%20or%201=1--", 'a'.repeat(9_000), '%ff'] as const;

const SESSIONS = ['', '%00', 'x'.repeat(10_000), '../transactions/1', '%E2%98%83', '%ff%fe', '__proto__'] as const;

/** Returns a request to the return URL with a foreign, invented or malformed token and query. */
export function forgedReturn(random: Random, known: AttackerKnowledge): ForgedRequest {
  const [own, foreign] = [random.pick(known.unpaidSessions), random.pick(known.paidSessions)];
  const token = random.below(3) === 0 ? random.pick(TOKENS) : random.pick(known.tokens);
  const query = random.pick([
    random.pick(QUERIES),
    `session_id=${foreign}`,
    `session_id=${inventedSession(random)}`,
    `session_id=${random.pick(SESSIONS)}`,
    `session_id=${own}&session_id=${foreign}`,
    `session_id[]=${foreign}`,
    `session_id[id]=${foreign}`,
  ]);
  const target = `/checkout/return/${token}?${query}`;
  if (random.below(2) === 0) return { target, method: 'GET', headers: {} };
  const body = random.pick([random.pick(QUERIES), '{"status":"completed"}', '\u0000', 'x'.repeat(40_000)]);
  const type = random.pick(['application/x-www-form-urlencoded', 'application/json', 'text/xml', '']);
  return { target, method: 'POST', body, headers: { 'Content-Type': type } };
}

/** Returns the body of a webhook that is false, names an unknown session or is malformed. */
export function forgedWebhookBody(random: Random, known: AttackerKnowledge): string | Buffer {
  const number = random.below(1e9);
  return random.pick<() => string | Buffer>([
    () => JSON.stringify(falseEvent(random, random.pick(known.unpaidSessions))),
    () => JSON.stringify(falseEvent(random, inventedSession(random))),
    () => malformedEvent(random),
    () => random.pick(['', 'null', '[]', '"x"', '1', '{', '{"id":', '\u0000', '{"id":1,"id":2}', 'a=b']),
    () => `${'{"data":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    () => Buffer.from([0x7b, 0xff, 0xfe, random.below(256), 0x7d]),
    () => JSON.stringify({ id: 'x'.repeat(70_000) }),
    () => JSON.stringify({ id: `cs_\u0000${number}`, event_type: 'session.completed' }),
    () => JSON.stringify({ data: { id: `cs_${number}` }, event_type: 'session\u0000completed' }),
    () => JSON.stringify({ id: `\u0007${number}`, metadata: { order_number: `TG-\u0000${number}` } }),
  ])();
}

function falseEvent(random: Random, id: string): object {
  const action = random.pick(['session.completed', 'payment.transaction', 'payment_Success', 'refund', '']);
  const claims = { status: 'completed', transaction_status: 'Success', amount_total: 1, currency: 'MXN' };
  const salt = random.below(1e9);
  return random.pick<object>([
    { action, type: 'checkout.hosted', data: { ...claims, id, salt } },
    { id, ...claims, event_type: action, salt },
    { event: action, data: { session_id: id, metadata: { order_number: 'TG-2222-2222' } }, salt },
    { id: '1', client_reference: id, status: 'Success', salt },
  ]);
}

/** As text, because an object literal cannot have a member `__proto__`. */
function malformedEvent(random: Random): string {
  const value = JSON.stringify(random.pick<unknown>([null, [], {}, 1e308, true, ['cs_1'], { $ne: 'cs_1' }]));
  return random.pick([
    `{"__proto__":{"id":"cs_1","paid":true},"data":${value}}`,
    `{"id":${value},"constructor":{"prototype":{"paid":true}}}`,
    `{"action":${value},"data":{"id":"cs_${random.below(1e9)}","metadata":[]}}`,
  ]);
}

function inventedSession(random: Random): string {
  return `cs_11_${random.below(1e9)}_0`;
}

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
    // An answer without a reference is no forgery (interface section 2.2).
    () => rewrite(PAID_PAYMENT, [random.pick(['id', 'amount', 'currency'])]),
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
  return random.pick([...wrongAmounts(price, 1), price / 100, `${price}.0`, ...WRONG_TYPES]);
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
