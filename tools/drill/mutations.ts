/** Falsified gateway responses. Each one claims a payment and must be rejected. Pure. */
import type { Random } from './random.js';

/** A simulator fault that falsifies one response. */
export type Spoiling = Readonly<Record<string, unknown>>;

type Members = Readonly<Record<string, unknown>>;

/** Members of a paid session and of a paid payment. */
const PAID_SESSION: Members = { status: 'completed', transaction_status: 'Success' };
const PAID_PAYMENT: Members = { status: 'authorized' };

/** Values of the wrong type for any member. */
const STRANGE: readonly unknown[] = [
  null,
  true,
  [],
  {},
  '',
  ' ',
  'null',
  0,
  -1,
  1e21,
  '💥',
  ['completed'],
  { $gt: 0 },
];

/** Returns a falsified session lookup. It must not mark any order with the total `price` as paid. */
export function spoiltSession(random: Random, price: number): Spoiling {
  return random.pick<() => Spoiling>([
    () => rewrite({ ...PAID_SESSION, amount_total: wrongMinor(random, price) }),
    () => rewrite({ ...PAID_SESSION, currency: wrongCurrency(random) }),
    () => rewrite({ ...PAID_SESSION, external_id: wrongName(random) }),
    () => rewrite({ ...PAID_SESSION, id: wrongName(random) }),
    () => rewrite({ status: wrongWord(random, 'completed'), transaction_status: 'Success' }),
    () => rewrite({ status: 'completed', transaction_status: wrongWord(random, 'Success') }),
    () => rewrite(PAID_SESSION, [random.pick(['id', 'amount_total', 'currency', 'external_id'])]),
    () => rewrite({ ...PAID_SESSION, amount_total: undefined, amount: price / 100 }, ['amount_total']),
    () => rewrite({ '__proto__.status': 'completed', 'constructor.status': 'completed' }),
    () => raw(random, JSON.stringify({ ...PAID_SESSION, amount_total: price, currency: 'MXN' })),
  ])();
}

/** Returns a falsified transaction lookup. It must not mark any order with the total `price` as paid. */
export function spoiltPayment(random: Random, price: number): Spoiling {
  return random.pick<() => Spoiling>([
    () => rewrite({ ...PAID_PAYMENT, amount: wrongMajor(random, price) }),
    () => rewrite({ ...PAID_PAYMENT, currency: wrongCurrency(random) }),
    () => rewrite({ ...PAID_PAYMENT, client_reference: wrongName(random) }),
    () => rewrite({ ...PAID_PAYMENT, id: wrongName(random) }),
    () => rewrite({ status: wrongWord(random, 'authorized') }),
    () => rewrite(PAID_PAYMENT, [random.pick(['id', 'amount', 'currency', 'client_reference'])]),
    () => rewrite({ 'data.status': 'authorized', 'metadata.status': 'authorized' }),
    () => raw(random, JSON.stringify({ ...PAID_PAYMENT, amount: price / 100, currency: 'MXN' })),
  ])();
}

/** Returns a falsified create-session response. The shop must not redirect a customer after it. */
export function spoiltOpening(random: Random, price: number): Spoiling {
  return random.pick<() => Spoiling>([
    () => rewrite({ url: random.pick(EVIL_ADDRESSES) }),
    () => rewrite({ amount_total: wrongMinor(random, price) }),
    () => rewrite({ currency: wrongCurrency(random) }),
    () => rewrite({ external_id: wrongName(random) }),
    () => rewrite(PAID_SESSION),
    () => rewrite({}, [random.pick(['id', 'url', 'amount_total', 'currency', 'external_id'])]),
  ])();
}

const EVIL_ADDRESSES = [
  'javascript:alert(1)',
  'data:text/html,hi',
  'http://evil.example/checkout/cs_1',
  '//evil.example/cs_1',
  'https://evil.example/checkout/cs_1',
  'https://localhost@evil.example/',
  'https:\\\\evil.example\\',
  'http://localhost.evil.example/',
  'http://localhost:1/checkout/cs_1',
  'https://xn--lcalhost-q1a.example/',
  '',
] as const;

function rewrite(set: Members, remove: readonly string[] = []): Spoiling {
  const given = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
  return { kind: 'rewrite', set: given, ...(remove.length > 0 && { remove }) };
}

/** Returns a response that is not the expected JSON: truncated, wrapped, duplicated or without its members. */
function raw(random: Random, json: string): Spoiling {
  const body = random.pick([
    json,
    `[${json}]`,
    `${json}${json}`,
    `\uFEFF${json}`,
    json.slice(0, -1),
    `)]}'${json}`,
    JSON.stringify(json),
    json.replaceAll('"', "'"),
    `<!doctype html><p>${json}</p>`,
    '',
    'null',
    'NaN',
    '"paid"',
  ]);
  return { kind: 'raw', body, status: random.pick([200, 200, 201, 202, 203]) };
}

function wrongMinor(random: Random, price: number): unknown {
  const near = [price - 1, price + 1, price / 100, price * 100, -price, price + 0.5, 0];
  return random.pick([...near, String(price), (price / 100).toFixed(2), [price], random.pick(STRANGE)]);
}

function wrongMajor(random: Random, price: number): unknown {
  const pesos = price / 100;
  const near = [pesos - 0.01, pesos + 0.01, pesos * 100, -pesos, pesos + 0.001];
  return random.pick<unknown>([...near, `${pesos.toFixed(2)}1`, `${pesos}e0`, [pesos], random.pick(STRANGE)]);
}

function wrongCurrency(random: Random): unknown {
  return random.pick<unknown>(['USD', 'mxn', 'MXP', 'MXN ', ' MXN', 'ＭＸＮ', ['MXN'], random.pick(STRANGE)]);
}

function wrongName(random: Random): unknown {
  const made = `TG-${random.below(9000)}-${random.below(9000)}`;
  return random.pick<unknown>([made, 'cs_11_1_0', '../../etc/passwd', 'x'.repeat(300), random.pick(STRANGE)]);
}

function wrongWord(random: Random, right: string): unknown {
  const near = [
    `${right} `,
    ` ${right}`,
    `${right}s`,
    `not_${right}`,
    `${right}\u0000`,
    right.slice(1),
    'paid',
  ];
  return random.pick<unknown>([...near, [right], { value: right }, 'constructor', random.pick(STRANGE)]);
}
