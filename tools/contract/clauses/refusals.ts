/** Requests that the gateway must refuse (docs/gateway-interface.md sections 2.1, 2.4.1, 5 and 8). */
import { randomUUID } from 'node:crypto';
import type { Clause } from '../clause.js';
import { compare, created, KEY_REFUSED, NOT_FOUND, REFUSED } from '../compare.js';
import type { Answer, GatewayClient, Headers } from '../gateway-client.js';
import { cardPayment, inMinutes, minimalSession } from '../requests.js';

const session = minimalSession();
const payment = cardPayment();
const UNKNOWN_SESSION = `cs_0_0_${'0'.repeat(48)}`;

/** JSON has no member for `undefined`. */
const REFUSED_SESSIONS = {
  'without customer': { ...session, customer: undefined },
  'without amount_total': { ...session, amount_total: undefined },
  'without currency': { ...session, currency: undefined },
  'without line_items': { ...session, line_items: undefined },
  'without return_url and success_url': { ...session, return_url: undefined },
  'currency USD': { ...session, currency: 'USD' },
  'amount_total as a text': { ...session, amount_total: '150.00' },
  'invalid e-mail': { ...session, customer: { ...session.customer, email: 'invalid' } },
  'payment_method_types other than card': { ...session, payment_method_types: ['cash'] },
  'checkout_type other than hosted': { ...session, checkout_type: 'embedded' },
  'session_type other than payment': { ...session, session_type: 'subscription' },
  'invalid return_url': { ...session, return_url: 'somewhere' },
  'expires_at in the past': { ...session, expires_at: inMinutes(-60) },
  'expires_at in 20 minutes': { ...session, expires_at: inMinutes(20) },
  'expires_at in 25 hours': { ...session, expires_at: inMinutes(25 * 60) },
  'expires_at in milliseconds': { ...session, expires_at: inMinutes(60) * 1000 },
};

const ACCEPTED_MINUTES = [35, 23.5 * 60];

const REFUSED_PAYMENTS = {
  'tokens that belong to no card': payment,
  'without return_url': { ...payment, return_url: undefined },
  'currency USD': { ...payment, currency: 'USD' },
  'without payment_method': { ...payment, payment_method: undefined },
};

const WRONG_KEYS = {
  'without Authorization': () => ({}),
  'with another key': () => ({ Authorization: `Token wrong_${randomUUID()}` }),
  'with the scheme Bearer': (apiKey: string) => ({ Authorization: `Bearer ${apiKey}` }),
};

const CALLS: Readonly<Record<string, (gateway: GatewayClient, headers: Headers) => Promise<Answer>>> = {
  'create-session': (gateway, headers) => gateway.createSession(session, headers),
  'read-session': (gateway, headers) => gateway.readSession(UNKNOWN_SESSION, headers),
  process: (gateway, headers) => gateway.process(payment, headers),
  'read-transaction': (gateway, headers) => gateway.readTransaction(randomUUID(), headers),
};

export const refusalClauses: Record<string, Clause> = {
  'unknown session not found (public)': async (gateway) =>
    compare(await gateway.readSession(UNKNOWN_SESSION), NOT_FOUND),

  'unknown transaction not found (public)': async (gateway) =>
    compare(await gateway.readTransaction(randomUUID()), NOT_FOUND),
};

for (const [name, request] of Object.entries(REFUSED_SESSIONS))
  refusalClauses[`session refused: ${name} (2.4.1, 8)`] = async (gateway) =>
    compare(await gateway.createSession(request), REFUSED);

for (const minutes of ACCEPTED_MINUTES)
  refusalClauses[`session accepted: expires_at in ${minutes} minutes (2.4.1, 8)`] = async (gateway) =>
    compare(await gateway.createSession({ ...session, expires_at: inMinutes(minutes) }), created());

for (const [name, request] of Object.entries(REFUSED_PAYMENTS))
  refusalClauses[`payment refused: ${name} (2.1, 8)`] = async (gateway) =>
    compare(await gateway.process(request), REFUSED);

for (const [call, send] of Object.entries(CALLS))
  for (const [name, headers] of Object.entries(WRONG_KEYS))
    refusalClauses[`key refused: ${call} ${name} (5)`] = async (gateway) =>
      compare(await send(gateway, headers(gateway.target.PAYMENTS_API_KEY)), KEY_REFUSED);
