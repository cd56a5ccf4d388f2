/** Forged returns and webhooks. None of them may make an order paid. Pure. */
import type { Random } from './scenario.js';

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

const TOKENS = [
  '..%2f..%2fadmin',
  '%00',
  'TG-7KMX-2AFR',
  "'%20or%201=1--",
  'a'.repeat(9_000),
  '%ff',
] as const;

const SESSIONS = [
  '',
  '%00',
  'x'.repeat(10_000),
  '../transactions/1',
  '%E2%98%83',
  '%ff%fe',
  '__proto__',
] as const;

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
