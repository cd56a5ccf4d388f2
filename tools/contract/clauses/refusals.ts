/** Requests that the gateway must refuse (docs/gateway-interface.md sections 2.1, 2.4.1, 5 and 8). */
import { randomUUID } from 'node:crypto';
import type { Clause } from '../clause.js';
import { compare, created, KEY_REFUSED, NOT_FOUND, REFUSED } from '../compare.js';
import type { Answer, Authorization, GatewayClient } from '../gateway-client.js';
import { cardPayment, inMinutes, minimalSession, without } from '../requests.js';

const session = minimalSession();
const payment = cardPayment();
const UNKNOWN_SESSION = `cs_0_0_${'0'.repeat(48)}`;

const REFUSED_SESSIONS: readonly (readonly [string, object])[] = [
  ['without customer', without(session, 'customer')],
  ['without amount_total', without(session, 'amount_total')],
  ['without currency', without(session, 'currency')],
  ['without line_items', without(session, 'line_items')],
  ['without return_url and success_url', without(session, 'return_url')],
  ['currency USD', { ...session, currency: 'USD' }],
  ['amount_total as a text', { ...session, amount_total: '150.00' }],
  ['invalid e-mail', { ...session, customer: { ...session.customer, email: 'invalid' } }],
  ['payment_method_types other than card', { ...session, payment_method_types: ['cash'] }],
  ['checkout_type other than hosted', { ...session, checkout_type: 'embedded' }],
  ['session_type other than payment', { ...session, session_type: 'subscription' }],
  ['invalid return_url', { ...session, return_url: 'somewhere' }],
  ['expires_at in the past', { ...session, expires_at: inMinutes(-60) }],
  ['expires_at in 20 minutes', { ...session, expires_at: inMinutes(20) }],
  ['expires_at in 25 hours', { ...session, expires_at: inMinutes(25 * 60) }],
  ['expires_at in milliseconds', { ...session, expires_at: inMinutes(60) * 1000 }],
];

const ACCEPTED_MINUTES = [35, 23.5 * 60];

const REFUSED_PAYMENTS: readonly (readonly [string, object])[] = [
  ['tokens that belong to no card', payment],
  ['without return_url', without(payment, 'return_url')],
  ['currency USD', { ...payment, currency: 'USD' }],
  ['without payment_method', without(payment, 'payment_method')],
];

const WRONG_KEYS: readonly (readonly [string, (apiKey: string) => Authorization])[] = [
  ['without Authorization', () => null],
  ['with another key', () => `Token wrong_${randomUUID()}`],
  ['with the scheme Bearer', (apiKey) => `Bearer ${apiKey}`],
];

type Call = (gateway: GatewayClient, authorization: Authorization) => Promise<Answer>;

const CALLS: readonly (readonly [string, Call])[] = [
  ['create-session', (gateway, authorization) => gateway.createSession(session, authorization)],
  ['read-session', (gateway, authorization) => gateway.readSession(UNKNOWN_SESSION, authorization)],
  ['process', (gateway, authorization) => gateway.process(payment, authorization)],
  ['read-transaction', (gateway, authorization) => gateway.readTransaction(randomUUID(), authorization)],
];

export const refusalClauses: readonly Clause[] = [
  ...REFUSED_SESSIONS.map(([name, request]) => ({
    name: `session refused: ${name}`,
    section: '2.4.1, 8',
    run: async (gateway: GatewayClient) => compare(await gateway.createSession(request), REFUSED),
  })),
  ...ACCEPTED_MINUTES.map((minutes) => ({
    name: `session accepted: expires_at in ${minutes} minutes`,
    section: '2.4.1, 8',
    run: async (gateway: GatewayClient) =>
      compare(await gateway.createSession({ ...session, expires_at: inMinutes(minutes) }), created()),
  })),
  ...REFUSED_PAYMENTS.map(([name, request]) => ({
    name: `payment refused: ${name}`,
    section: '2.1, 8',
    run: async (gateway: GatewayClient) => compare(await gateway.process(request), REFUSED),
  })),
  ...CALLS.flatMap(([call, send]) =>
    WRONG_KEYS.map(([name, authorization]) => ({
      name: `key refused: ${call} ${name}`,
      section: '5',
      run: async (gateway: GatewayClient) =>
        compare(await send(gateway, authorization(gateway.target.apiKey)), KEY_REFUSED),
    })),
  ),
  {
    name: 'unknown session not found',
    section: 'public',
    run: async (gateway) => compare(await gateway.readSession(UNKNOWN_SESSION), NOT_FOUND),
  },
  {
    name: 'unknown transaction not found',
    section: 'public',
    run: async (gateway) => compare(await gateway.readTransaction(randomUUID()), NOT_FOUND),
  },
];
