/** Requests that the gateway must refuse (docs/gateway-interface.md sections 2.1, 2.4.1, 5 and 8). */
import { randomUUID } from 'node:crypto';
import type { Clause } from '../clause.js';
import { compare, created, KEY_REFUSED, NOT_FOUND, REFUSED } from '../compare.js';
import type { Answer, GatewayClient, Headers } from '../gateway-client.js';
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
  'amount_total as a text': { amount_total: '150.00' },
  'invalid e-mail': { customer: { first_name: 'Contract', last_name: 'Suite', email: 'invalid' } },
  'payment_method_types other than card': { payment_method_types: ['cash'] },
  'checkout_type other than hosted': { checkout_type: 'embedded' },
  'session_type other than payment': { session_type: 'subscription' },
  'invalid return_url': { return_url: 'somewhere' },
  'expires_at in the past': { expires_at: inMinutes(-60) },
  'expires_at in 20 minutes': { expires_at: inMinutes(20) },
  'expires_at in 25 hours': { expires_at: inMinutes(25 * 60) },
  'expires_at in milliseconds': { expires_at: inMinutes(60) * 1000 },
};

const ACCEPTED_MINUTES = [35, 23.5 * 60];

const REFUSED_PAYMENTS = {
  'tokens that belong to no card': {},
  'without return_url': { return_url: undefined },
  'currency USD': { currency: 'USD' },
  'without payment_method': { payment_method: undefined },
};

const WRONG_KEYS = {
  'with an empty Authorization': () => '',
  'with another key': () => `Token wrong_${randomUUID()}`,
  'with the scheme Bearer': (apiKey: string) => `Bearer ${apiKey}`,
};

const CALLS: Readonly<Record<string, (gateway: GatewayClient, headers: Headers) => Promise<Answer>>> = {
  'create-session': (gateway, headers) => gateway.createSession(shopSession(), headers),
  'read-session': (gateway, headers) => gateway.readSession(UNKNOWN_SESSION, headers),
  process: (gateway, headers) => gateway.process(shopPayment(), headers),
  'read-transaction': (gateway, headers) => gateway.readTransaction(randomUUID(), headers),
};

export const refusalClauses: Record<string, Clause> = {
  'unknown session not found (public)': async (gateway) =>
    compare(await gateway.readSession(UNKNOWN_SESSION), NOT_FOUND),

  'unknown transaction not found (public)': async (gateway) =>
    compare(await gateway.readTransaction(randomUUID()), NOT_FOUND),
};

for (const [name, changes] of Object.entries(REFUSED_SESSIONS))
  refusalClauses[`session refused: ${name} (2.4.1, 8)`] = async (gateway) =>
    compare(await gateway.createSession({ ...shopSession(), ...changes }), REFUSED);

for (const minutes of ACCEPTED_MINUTES)
  refusalClauses[`session accepted: expires_at in ${minutes} minutes (2.4.1, 8)`] = async (gateway) =>
    compare(await gateway.createSession({ ...shopSession(), expires_at: inMinutes(minutes) }), created());

for (const [name, changes] of Object.entries(REFUSED_PAYMENTS))
  refusalClauses[`payment refused: ${name} (2.1, 8)`] = async (gateway) =>
    compare(await gateway.process({ ...shopPayment(), ...changes }), REFUSED);

for (const [call, send] of Object.entries(CALLS))
  for (const [name, authorization] of Object.entries(WRONG_KEYS))
    refusalClauses[`key refused: ${call} ${name} (5)`] = async (gateway) =>
      compare(await send(gateway, { Authorization: authorization(gateway.target.PAYMENTS_API_KEY) }), KEY_REFUSED);
