/** Forged returns and webhooks of an attacker who wants goods without paying. Pure. */
import type { Random } from './random.js';

/** What an attacker may know: order tokens of unpaid orders, and session ids of paid and unpaid orders. */
export interface Loot {
  readonly tokens: readonly string[];
  readonly unpaidSessions: readonly string[];
  readonly paidSessions: readonly string[];
}

export interface ForgedRequest {
  readonly target: string;
  readonly method: 'GET' | 'POST';
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const CLAIMS = [
  'status=success&paid=1&transaction_status=Success',
  'status=completed',
  'bypass=1&test=1&debug=1&mock=1',
  'amount=1&amount_total=1&currency=MXN',
  'tndr_payment_id=1',
  'payment_id[]=1&id[a]=b',
  'state=paid',
] as const;

/** Returns a request to the return URL with a foreign, invented or malformed token and query. */
export function forgedReturn(random: Random, loot: Loot): ForgedRequest {
  const token = random.pick([random.pick(loot.tokens), random.pick(loot.tokens), wrongToken(random)]);
  const query = random.pick([
    random.pick(CLAIMS),
    `session_id=${wrongSession(random, loot)}`,
    doubled(random, loot),
  ]);
  const target = `/checkout/return/${token}?${query}`;
  const method = random.pick(['GET', 'POST'] as const);
  const headers = random.pick<Readonly<Record<string, string>>>([
    {},
    { 'X-Test': '1' },
    { Cookie: 'tianguis=s%3Aforged.x' },
    { Host: 'evil.example' },
  ]);
  if (method === 'GET') return { target, method, headers };
  const body = random.pick([random.pick(CLAIMS), '{"status":"completed"}', '\u0000', 'x'.repeat(40_000)]);
  const type = random.pick(['application/x-www-form-urlencoded', 'application/json', 'text/xml', '']);
  return { target, method, body, headers: { ...headers, 'Content-Type': type } };
}

function wrongToken(random: Random): string {
  const made = Array.from({ length: 32 }, () => random.pick(['a', 'B', '7', '_', '-'])).join('');
  return random.pick([
    made,
    '..%2f..%2fadmin',
    '%00',
    'TG-7KMX-2AFR',
    "'%20or%201=1--",
    'a'.repeat(9_000),
    '%ff',
  ]);
}

function wrongSession(random: Random, loot: Loot): string {
  return random.pick([
    random.pick(loot.paidSessions),
    random.pick(loot.paidSessions),
    `cs_11_${random.below(1e9)}_0`,
    '',
    '%00',
    'x'.repeat(10_000),
    '../transactions/1',
    '%E2%98%83',
    '%ff%fe',
    '__proto__',
    '1%27%20or%20%271%27=%271',
  ]);
}

function doubled(random: Random, loot: Loot): string {
  const [own, other] = [random.pick(loot.unpaidSessions), random.pick(loot.paidSessions)];
  return random.pick([
    `session_id=${own}&session_id=${other}`,
    `session_id[]=${other}`,
    `session_id[id]=${other}`,
  ]);
}

/** Returns a webhook request with valid credentials and a false or malformed body. */
export function forgedWebhook(random: Random, loot: Loot): ForgedRequest {
  const body = random.pick<() => string | Buffer>([
    () => JSON.stringify(lie(random, random.pick(loot.unpaidSessions))),
    () => JSON.stringify(lie(random, `cs_11_${random.below(1e9)}_0`)),
    () => JSON.stringify(deepLie(random)),
    () => random.pick(['', 'null', '[]', '"x"', '1', '{', '{"id":', '\u0000', '{"id":1,"id":2}', 'a=b']),
    () => `${'{"data":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    () => Buffer.from([0x7b, 0xff, 0xfe, random.below(256), 0x7d]),
    () => JSON.stringify({ id: 'x'.repeat(70_000) }),
  ])();
  return { target: '/webhooks/payments', method: 'POST', body };
}

function lie(random: Random, id: string): object {
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

function deepLie(random: Random): object {
  const strange = random.pick<unknown>([
    null,
    [],
    {},
    1e308,
    true,
    ['cs_1'],
    { id: 'cs_1' },
    'x'.repeat(300),
  ]);
  return JSON.parse(
    random.pick([
      `{"__proto__":{"id":"cs_1","paid":true},"data":${JSON.stringify(strange)}}`,
      `{"id":${JSON.stringify(strange)},"constructor":{"prototype":{"paid":true}}}`,
      `{"action":${JSON.stringify(strange)},"data":{"id":"cs_${random.below(1e9)}","metadata":[]}}`,
    ]),
  ) as object;
}
