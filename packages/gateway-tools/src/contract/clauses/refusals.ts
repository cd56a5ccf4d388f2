/** Requests that the gateway must refuse, and the limits (docs/gateway-interface.md sections 2.1, 2.4.1, 5 and 8). */
import { randomUUID } from 'node:crypto';
import { type Clause, clauses } from '../clause.js';
import { compare, created, KEY_REFUSED, NOT_FOUND, REFUSED } from '../compare.js';
import type { GatewayClient, Headers } from '../gateway-client.js';
import { inMinutes, shopPayment, shopSession } from '../requests.js';

const UNKNOWN_SESSION = `cs_0_0_${'0'.repeat(48)}`;

/** Changes of the shop's request. JSON has no member for `undefined`. */
const REFUSED_SESSIONS = {
  'without customer': { customer: undefined },
  'without amount_total': { amount_total: undefined },
  'without currency': { currency: undefined },
  'without line_items': { line_items: undefined },
  'without return_url and success_url': { return_url: undefined, success_url: undefined },
  'currency USD': { currency: 'USD' },
  'currency mxn': { currency: 'mxn' },
  'amount_total as a text': { amount_total: '150.00' },
  'invalid e-mail': { customer: { first_name: 'Contract', last_name: 'Suite', email: 'invalid' } },
  'payment_method_types other than card': { payment_method_types: ['cash'] },
  'checkout_type other than hosted': { checkout_type: 'embedded' },
  'session_type other than payment': { session_type: 'subscription' },
  'invalid return_url': { return_url: 'somewhere' },
  'expires_at in the past': { expires_at: inMinutes(-60) },
  'expires_at in 29 minutes': { expires_at: inMinutes(29) },
  'expires_at in 24 hours 2 minutes': { expires_at: inMinutes(24 * 60 + 2) },
  'expires_at in milliseconds': { expires_at: inMinutes(60) * 1000 },
};

/** The shop asks for 30.5 minutes at least, and half a minute less than 24 hours at most. */
const ACCEPTED_SESSIONS = { 'expires_at in 30.5 minutes': 30.5, 'expires_at in 1439.5 minutes': 1439.5 };

const REFUSED_PAYMENTS = {
  'tokens that belong to no card': {},
  'without return_url': { return_url: undefined },
  'currency USD': { currency: 'USD' },
  'without payment_method': { payment_method: undefined },
};

const AUTHORIZATIONS: Readonly<Record<string, (apiKey: string) => Headers>> = {
  'without Authorization': () => ({}),
  'with an empty Authorization': () => ({ Authorization: '' }),
  'with another key': () => ({ Authorization: `Token wrong_${randomUUID()}` }),
  'with the key and more': (apiKey) => ({ Authorization: `Token ${apiKey}x` }),
  'with the beginning of the key': (apiKey) => ({ Authorization: `Token ${apiKey.slice(0, -1)}` }),
  'with the scheme Bearer': (apiKey) => ({ Authorization: `Bearer ${apiKey}` }),
};

type BareRequest = readonly [server: 'PAYMENTS_BASE_URL' | 'CHECKOUT_API_URL', path: string, body?: object];

const CALLS: Readonly<Record<string, (gateway: GatewayClient) => BareRequest | Promise<BareRequest>>> = {
  'create-session': () => ['CHECKOUT_API_URL', '/checkout/v1/sessions', shopSession()],
  'read-session': async (gateway) => {
    const { id } = Object((await gateway.createSession(shopSession())).json);
    return ['CHECKOUT_API_URL', `/checkout/v1/sessions/${encodeURIComponent(id)}`];
  },
  process: () => ['PAYMENTS_BASE_URL', '/api/v1/process/', shopPayment()],
  'read-transaction': () => ['PAYMENTS_BASE_URL', `/api/v1/transactions/${randomUUID()}/`],
};

const rows = <T>(
  table: Readonly<Record<string, T>>,
  row: (name: string, value: T) => readonly [string, Clause['test']],
) => Object.fromEntries(Object.entries(table).map(([name, value]) => row(name, value)));

export const refusalClauses = clauses({
  'unknown session not found | public | a session that does not exist | 404': async (gateway) =>
    compare(await gateway.readSession(UNKNOWN_SESSION), NOT_FOUND),
  'unknown transaction not found | public | a transaction that does not exist | 404': async (gateway) =>
    compare(await gateway.readTransaction(randomUUID()), NOT_FOUND),
  ...rows(REFUSED_SESSIONS, (name, changes) => [
    `session refused: ${name} | 2.4.1, 8 | a session ${name} | a refusal`,
    async (gateway) => compare(await gateway.createSession({ ...shopSession(), ...changes }), REFUSED),
  ]),
  ...rows(ACCEPTED_SESSIONS, (name, minutes) => [
    `session accepted: ${name} | 2.4.1, 8 | a session with ${name} | 201`,
    async (gateway) =>
      compare(await gateway.createSession({ ...shopSession(), expires_at: inMinutes(minutes) }), created()),
  ]),
  ...rows(REFUSED_PAYMENTS, (name, changes) => [
    `payment refused: ${name} | 2.1, 8 | a payment ${name} | a refusal`,
    async (gateway) => compare(await gateway.process({ ...shopPayment(), ...changes }), REFUSED),
  ]),
  ...Object.assign(
    {},
    ...Object.entries(CALLS).map(([call, request]) =>
      rows(AUTHORIZATIONS, (name, authorization) => [
        `key refused: ${call} ${name} | 5 | ${call} ${name} | 401 or 403`,
        async (gateway) => {
          const [server, path, body] = await request(gateway);
          const headers = authorization(gateway.target.PAYMENTS_API_KEY);
          return compare(await gateway.sendBare(server, path, body, headers), KEY_REFUSED);
        },
      ]),
    ),
  ),
});
