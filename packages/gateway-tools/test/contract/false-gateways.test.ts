/** Each false gateway breaks one rule of the document and is noticed by the clause of this rule. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createGatewayClient } from '../../src/contract/gateway-client.js';
import { CLAUSES, runClause } from '../../src/contract/run-clauses.js';
import { readTarget } from '../../src/contract/target.js';
import { findTester } from '../../src/contract/tester.js';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.js';
import { type Answers, type Exchange, openFalseGateway, type Rule } from './false-gateway.js';

const API_KEY = 'test_key_of_the_contract';

let simulator: Simulator;

beforeEach(async () => {
  simulator = await startSimulator({ port: 0, apiKey: API_KEY });
});

afterEach(() => simulator.close());

/** Runs the clauses behind the rule. Returns the names of those with a difference. */
async function noticedBy(rule: Rule, names?: readonly string[]): Promise<readonly string[]> {
  await using server = await openFalseGateway(simulator, rule);
  const target = readTarget({
    PAYMENTS_BASE_URL: server.url,
    CHECKOUT_API_URL: server.url,
    PAYMENTS_API_KEY: API_KEY,
    TOKENIZER_URL: `${server.url}/vault/v1/gateway/inboundRoutes/demo/token`,
  });
  const gateway = createGatewayClient(target);
  const tester = await findTester(target);
  const noticed: string[] = [];
  for (const clause of CLAUSES.filter(({ name }) => names?.includes(name) ?? true)) {
    const { differences, untested } = await runClause(clause, gateway, { pay: true, tester });
    if (untested) throw new Error(`${clause.name} was not tested: ${untested}`);
    if (differences.length > 0) noticed.push(clause.name);
  }
  return noticed;
}

type Members = object | false | undefined;

/** Changes the members of answers of success. `change` returns the new ones. */
const answering = <C extends keyof Answers>(call: C, change: (body: Answers[C]) => Members): Rule => ({
  after({ call: sent, status, body }) {
    if (sent === call && Number(status) < 400 && body) Object.assign(body, change(body as Answers[C]));
  },
});
/** Changes members of the request for a session before the simulator gets it. */
const asking = (change: (request: { readonly expires_at?: number }) => Members): Rule => ({
  before({ call, request }) {
    if (call === 'create' && typeof request === 'object') Object.assign(request, change(request));
  },
});
const withStatus = (path: RegExp, from: number, to: number): Rule => ({
  after(exchange) {
    if (path.test(exchange.path) && exchange.status === from) exchange.status = to;
  },
});
const leading = (call: string, from: string | RegExp, to: string): Rule => ({
  after(exchange) {
    if (exchange.call === call) exchange.location = exchange.location?.replace(from, to);
  },
});
/** Takes a wrong credential for the right one. */
const trusting = (isAccepted: (authorization: string | undefined, call: string) => boolean): Rule => ({
  before({ headers, call }) {
    if (isAccepted(headers['authorization'], call)) headers['authorization'] = RIGHT;
  },
});
const RIGHT = `Token ${API_KEY}`;
const paid = (members: (body: Answers['read']) => Members) =>
  answering('read', (body) => body.status === 'completed' && members(body));
const inMinutes = (minutes: number) => Math.floor(Date.now() / 1000) + minutes * 60;

const FALSE_GATEWAYS: readonly (readonly [flaw: string, clause: string, rule: Rule])[] = [
  ['a new session is answered 200', 'create-session', withStatus(/sessions$/, 201, 200)],
  ['amount_total is in pesos', 'create-session', answering('create', () => ({ amount_total: 150 }))],
  ['amount_total is a text', 'create-session', answering('create', () => ({ amount_total: '15000' }))],
  ['a session has no url', 'create-session', answering('create', () => ({ url: undefined }))],
  [
    'created_at is in seconds',
    'create-session',
    answering('create', ({ created_at }) => ({ created_at: Math.floor(created_at / 1000) })),
  ],
  [
    'expires_at is in milliseconds',
    'create-session',
    answering('create', ({ expires_at }) => ({ expires_at: expires_at * 1000 })),
  ],
  ['metadata is dropped', 'create-session', answering('create', () => ({ metadata: {} }))],
  ['line_items are dropped', 'create-session', answering('create', () => ({ line_items: [] }))],
  ['a new session is completed', 'create-session', answering('create', () => ({ status: 'completed' }))],
  [
    'a session lasts one hour by default',
    'session-defaults',
    asking(({ expires_at = inMinutes(60) }) => ({ expires_at })),
  ],
  ['the first address is not found', 'first-address', withStatus(/^\/api\/v1\/checkout/, 201, 404)],
  ['a lookup has no reference', 'read-session', answering('read', () => ({ external_id: undefined }))],
  ['a lookup has no transaction_status', 'read-session', answering('read', () => ({ transaction_status: undefined }))],
  [
    'a session of 29 minutes is accepted',
    'session refused: expires_at in 29 minutes',
    asking(({ expires_at = Infinity }) => expires_at < inMinutes(30) && { expires_at: inMinutes(32) }),
  ],
  [
    'a session of 30.5 minutes is refused',
    'session accepted: expires_at in 30.5 minutes',
    asking(({ expires_at = Infinity }) => expires_at < inMinutes(32) && { expires_at: inMinutes(20) }),
  ],
  ['USD is accepted', 'session refused: currency USD', asking(() => ({ currency: 'MXN' }))],
  [
    'a session without an address for the return is accepted',
    'session refused: without return_url and success_url',
    asking(() => ({ success_url: 'https://shop.example/' })),
  ],
  [
    'another payment method is accepted',
    'session refused: payment_method_types other than card',
    asking(() => ({ payment_method_types: ['card'] })),
  ],
  ['a payment without return_url is accepted', 'payment refused: without return_url', withStatus(/process/, 400, 201)],
  [
    'a key is accepted by its beginning',
    'key refused: read-session with the key and more',
    trusting((authorization) => authorization?.startsWith(RIGHT) === true),
  ],
  [
    'the beginning of a key is accepted',
    'key refused: create-session with the beginning of the key',
    trusting((authorization = '') => RIGHT.startsWith(authorization) && authorization.length > 20),
  ],
  [
    'no key is required',
    'key refused: read-session without Authorization',
    trusting((authorization) => authorization === undefined),
  ],
  [
    'any key is accepted for payments',
    'key refused: process with another key',
    trusting((_, call) => call === 'process'),
  ],
  [
    'the scheme Bearer is accepted',
    'key refused: read-transaction with the scheme Bearer',
    trusting((authorization) => authorization === `Bearer ${API_KEY}`),
  ],
  ['a paid session stays pending', 'paid-session', paid(() => ({ status: 'pending' }))],
  ['a paid session has no paid_at', 'paid-session', paid(() => ({ paid_at: undefined }))],
  ['paid_at is in seconds', 'paid-session', paid(({ paid_at }) => ({ paid_at: Math.floor(paid_at / 1000) }))],
  ['a paid session has no payment_id', 'paid-session', paid(() => ({ payment_id: undefined }))],
  ['a paid session has another amount', 'paid-session', paid(() => ({ amount_total: 150 }))],
  ['the redirect has no session_id', 'paid-session', leading('page', /[?&]session_id=.*/, '')],
  ['the redirect drops the query of success_url', 'paid-session', leading('page', 'order=7&', '')],
  ['return_url is no fallback', 'return_url-fallback', leading('page', '/return/contract', '/')],
  [
    'Declined ends the session',
    'declined-session',
    answering('read', (body) => body.transaction_status === 'Declined' && { status: 'expired' }),
  ],
  [
    'Declined is not shown',
    'declined-session',
    answering('read', (body) => body.transaction_status === 'Declined' && { transaction_status: 'Pending' }),
  ],
  [
    'no other card can be used after Declined',
    'declined-session',
    paid(() => ({ status: 'pending', transaction_status: 'Declined' })),
  ],
  [
    'a cancelled session is completed',
    'cancelled-session',
    answering('read', (body) => body.status === 'cancelled' && { status: 'completed' }),
  ],
  ['a cancellation leads elsewhere', 'cancelled-session', leading('page', '/return/contract', '/')],
  [
    'an expired session stays pending',
    'expired-session',
    answering('read', (body) => body.status === 'expired' && { status: 'pending', transaction_status: 'Pending' }),
  ],
  ['a payment is in centavos', 'card-payment', answering('process', ({ amount }) => ({ amount: amount * 100 }))],
  ['a payment has another word', 'card-payment', answering('process', () => ({ status: 'approved' }))],
  ['a payment has a number as id', 'card-payment', answering('process', () => ({ id: 17 }))],
  [
    'a payment has a local time',
    'card-payment',
    answering('process', ({ created_at }) => ({ created_at: created_at.replace('Z', '-06:00') })),
  ],
  [
    'a transaction is in centavos',
    'read-transaction',
    answering('transaction', ({ amount }) => ({ amount: amount * 100 })),
  ],
  [
    'the bank’s address is in another place',
    '3d-secure',
    answering('process', ({ next_action }) => next_action && { next_action: { url: next_action.redirect_to_url.url } }),
  ],
  [
    'a confirmed payment stays pending',
    '3d-secure-confirmed',
    answering('transaction', ({ status }) => status === 'authorized' && { status: 'pending' }),
  ],
  ['the bank leads to another address', '3d-secure-confirmed', leading('bank', '/return/contract', '/')],
  [
    'a refused payment is authorized',
    '3d-secure-refused',
    answering('transaction', ({ status }) => status === 'declined' && { status: 'authorized' }),
  ],
  ['an unknown session is found', 'unknown session not found', withStatus(/sessions\/cs_0/, 404, 200)],
];

test.each(FALSE_GATEWAYS)(
  'a gateway with the flaw that %s is noticed by the clause %s',
  async (_flaw, clause, rule) => {
    expect(await noticedBy(rule, [clause])).toEqual([clause]);
  },
);

test('the proxy alone breaks no rule, and the names of the clauses are unique', async () => {
  const names = CLAUSES.map(({ name }) => name);

  expect(await noticedBy({})).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  for (const { section, asked, expected } of CLAUSES) expect([section, asked, expected]).not.toContain('');
});

test.each([
  ['its own origin is followed', ({ path }: Exchange) => `${path}?moved`, [], 2],
  ['another origin is not followed', ({ path }: Exchange) => `${simulator.url}${path}`, ['read-session'], 1],
] as const)('a lookup that the gateway redirects to %s', async (_outcome, to, expected, lookups) => {
  const moved: Rule = {
    after(exchange) {
      if (exchange.call === 'read' && !exchange.path.endsWith('?moved'))
        Object.assign(exchange, { status: 307, location: to(exchange), body: '' });
    },
  };

  expect(await noticedBy(moved, ['read-session'])).toEqual(expected);
  expect(simulator.control.calls('read-session')).toHaveLength(lookups);
});
