/** Requests that the gateway must refuse (interface.md sections 2.1, 2.4.1, 5 and 8). */
import { randomUUID } from 'node:crypto';
import { type Clause, expectCreated, expectKeyRefusal, expectRefusal } from '../clause.js';
import { compare, type Deviation, exactly } from '../expectation.js';
import type { Authorization, Seen, Service } from '../gateway.js';
import { type Body, cardPayment, inMinutes, leastSession, without } from '../requests.js';

export const refusalClauses: readonly Clause[] = [
  {
    name: 'session-fields',
    section: '2.4.1, 8',
    says: 'a session request without a required field, or with an invalid value, is refused',
    examine: (service) => tryEach(wrongSessions(), (body) => service.createSession(body)),
  },
  {
    name: 'session-window',
    section: '2.4.1, 8',
    says: 'expires_at must be between 30 minutes and 24 hours from now',
    async examine(service) {
      const outside = await tryEach(wrongTimes(), (body) => service.createSession(body));
      return [...outside, ...(await rightTimes(service))];
    },
  },
  {
    name: 'payment-fields',
    section: '2.1, 8',
    says: 'a card payment without a return_url, in another currency or with unknown tokens is refused',
    examine: (service) => tryEach(wrongPayments(), (body) => service.process(body)),
  },
  {
    name: 'keys',
    section: '5',
    says: 'every call without the Authorization header, with another key or with another scheme is refused',
    async examine(service) {
      const found: Deviation[] = [];
      for (const [name, authorization] of wrongKeys(service)) {
        for (const [call, send] of callsOf(service))
          found.push(...expectKeyRefusal(`${call} ${name}`, await send(authorization)));
      }
      return found;
    },
  },
  {
    name: 'unknown-ids',
    section: 'public',
    says: 'the lookup of an unknown session or transaction returns 404',
    async examine(service) {
      const session = await service.readSession(`cs_0_0_${'0'.repeat(48)}`);
      const transaction = await service.readTransaction(randomUUID());
      return [
        ...compare('session', session.status, exactly(404)),
        ...compare('transaction', transaction.status, exactly(404)),
      ];
    },
  },
];

type Case = readonly [string, Body];

/** Sends the cases sequentially, to stay below the gateway's rate limits. */
async function tryEach(
  cases: readonly Case[],
  send: (body: Body) => Promise<Seen>,
): Promise<readonly Deviation[]> {
  const found: Deviation[] = [];
  for (const [name, body] of cases) found.push(...expectRefusal(name, await send(body)));
  return found;
}

const REQUIRED = ['customer', 'amount_total', 'currency', 'line_items'] as const;

function wrongSessions(): readonly Case[] {
  const right = leastSession();
  return [
    ...REQUIRED.map((name) => [`without ${name}`, without(right, name)] as const),
    ['without return_url and success_url', without(right, 'return_url')],
    ['currency USD', { ...right, currency: 'USD' }],
    ['amount_total as a text', { ...right, amount_total: '150.00' }],
    ['an e-mail that is none', { ...right, customer: { ...Object(right['customer']), email: 'nobody' } }],
    ['payment_method_types other than card', { ...right, payment_method_types: ['cash'] }],
    ['checkout_type other than hosted', { ...right, checkout_type: 'embedded' }],
    ['session_type other than payment', { ...right, session_type: 'subscription' }],
    ['a return_url that is no address', { ...right, return_url: 'somewhere' }],
  ];
}

function wrongTimes(): readonly Case[] {
  const right = leastSession();
  return [
    ['in the past', { ...right, expires_at: inMinutes(-60) }],
    ['in 20 minutes', { ...right, expires_at: inMinutes(20) }],
    ['in 25 hours', { ...right, expires_at: inMinutes(25 * 60) }],
    ['in milliseconds', { ...right, expires_at: inMinutes(60) * 1000 }],
  ];
}

async function rightTimes(service: Service): Promise<readonly Deviation[]> {
  const soon = await service.createSession({ ...leastSession(), expires_at: inMinutes(35) });
  const late = await service.createSession({ ...leastSession(), expires_at: inMinutes(23.5 * 60) });
  return [
    ...expectCreated(soon).map((deviation) => ({ ...deviation, at: `in 35 minutes: ${deviation.at}` })),
    ...expectCreated(late).map((deviation) => ({ ...deviation, at: `in 23.5 hours: ${deviation.at}` })),
  ];
}

function wrongPayments(): readonly Case[] {
  const right = cardPayment();
  return [
    ['made-up tokens', right],
    ['without return_url', without(right, 'return_url')],
    ['currency USD', { ...right, currency: 'USD' }],
    ['without payment_method', without(right, 'payment_method')],
  ];
}

function wrongKeys({ target }: Service): readonly (readonly [string, Authorization])[] {
  return [
    ['without a header', undefined],
    ['with another key', `Token wrong_${randomUUID()}`],
    ['with the scheme Bearer', `Bearer ${target.apiKey}`],
  ];
}

type Send = (authorization: Authorization) => Promise<Seen>;

function callsOf(service: Service): readonly (readonly [string, Send])[] {
  return [
    ['create-session', (authorization) => service.createSession(leastSession(), authorization)],
    ['read-session', (authorization) => service.readSession(`cs_0_0_${'0'.repeat(48)}`, authorization)],
    ['process', (authorization) => service.process(cardPayment(), authorization)],
    ['read-transaction', (authorization) => service.readTransaction(randomUUID(), authorization)],
  ];
}
