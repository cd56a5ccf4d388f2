/** Adapters with known bugs. Each breaks one promise. */

import { centavos } from '@tianguis/payments/rules';
import { API_KEY } from '../../../../../test/support/test-shop.js';
import { GatewayError } from '../../../src/gateway/errors.js';
import type { StartedSession } from '../../../src/gateway/hosted-sessions.js';
import type { GatewayPayment } from '../../../src/rules/payment.js';
import { errorOf } from '../support.js';
import type { Adapter } from './faulty-server.js';

interface BadAdapter {
  readonly bug: string;
  readonly promise: string;
  /** Returns the members that have the bug. `url`: the address of the gateway. */
  spoil(adapter: Adapter, url: string): Partial<Adapter>;
}

type LookUp = Adapter['lookUp'];

/** Changes what lookups return. */
const lookUpWith =
  (change: (payment: GatewayPayment, id: string) => GatewayPayment): BadAdapter['spoil'] =>
  ({ lookUp }) => ({ lookUp: async (flow, id) => change(await lookUp(flow, id), id) });

/** Sends a request again if the first try throws. */
const again = async <T>(send: () => Promise<T>): Promise<T> => send().catch(send);

const openAt = (gatewayId: string, offerEndsAt: number): StartedSession => ({
  kind: 'open',
  gatewayId,
  url: 'https://page.example/1',
  offerEndsAt,
  numbers: undefined,
});

const followRedirect = async (lookUp: LookUp, url: string, ...[flow, id]: Parameters<LookUp>) => {
  const error = await errorOf(lookUp(flow, id));
  if (error.status === 302)
    await fetch(`${url}/checkout/v1/sessions/${id}`, { headers: { Authorization: `Token ${API_KEY}` } });
  throw error;
};

const isUndefined = ({ status }: GatewayPayment) => status === 'processing' || status === 'unclear';

export const BAD_ADAPTERS: readonly BadAdapter[] = [
  {
    bug: 'does not accept a paid status',
    promise: 'lookUp: returns status, id, amount and currency `MXN`',
    spoil: lookUpWith((payment) => (payment.status === 'paid' ? { ...payment, status: 'processing' } : payment)),
  },
  {
    bug: 'accepts an unknown status as paid',
    promise: 'lookUp: reads an unknown status as neither paid nor final',
    spoil: lookUpWith((payment) => (isUndefined(payment) ? { ...payment, status: 'paid' } : payment)),
  },
  {
    bug: 'reads an unknown status as declined',
    promise: 'lookUp: reads an unknown status as neither paid nor final',
    spoil: lookUpWith((payment) => (isUndefined(payment) ? { ...payment, status: 'declined' } : payment)),
  },
  {
    bug: 'drops the reference',
    promise: 'lookUp: returns id and reference of the answer',
    spoil: lookUpWith((payment) => ({ ...payment, reference: undefined })),
  },
  {
    bug: 'returns the id that it asked for',
    promise: 'lookUp: returns id and reference of the answer',
    spoil: lookUpWith((payment, gatewayId) => ({ ...payment, gatewayId })),
  },
  {
    bug: 'assumes the currency',
    promise: 'lookUp: leaves absent values absent',
    spoil: lookUpWith((payment) => ({ ...payment, currency: payment.currency ?? 'MXN' })),
  },
  {
    bug: 'multiplies pesos by 100 and cuts',
    promise: 'lookUp: returns the exact amount in centavos',
    spoil: lookUpWith((payment) => ({
      ...payment,
      ...(payment.amount !== undefined && { amount: centavos(Math.floor((payment.amount / 100) * 100)) }),
    })),
  },
  {
    bug: 'reads an unknown id as expired',
    promise: 'lookUp: throws `not_found` for an unknown id',
    spoil: ({ lookUp }) => ({
      lookUp: (flow, id) =>
        lookUp(flow, id).catch((error: Error) => {
          if (!error.message.endsWith('not_found')) throw error;
          return { status: 'expired', gatewayId: id, gatewayStatus: 'none' } as const;
        }),
    }),
  },
  {
    bug: 'takes any unpaid payment as waiting for the customer',
    promise: 'isPlainPending: only while the gateway waits for the customer',
    spoil: () => ({ isPlainPending: (stored) => !/^completed|success/i.test(stored ?? '') }),
  },
  {
    bug: 'sees a failed card on each page',
    promise: 'hasFailedTry, isDeclinedTry: only after a failed card on an open page',
    spoil: () => ({ hasFailedTry: () => true, isDeclinedTry: () => true }),
  },
  {
    bug: 'sends no return URL of a session',
    promise: 'startSession: sends the return URL',
    spoil: ({ startSession }) => ({
      startSession: (request, now) => startSession({ ...request, returnUrl: 'https://shop.example/' }, now),
    }),
  },
  {
    bug: 'returns the end of the offer in seconds',
    promise: 'startSession: returns when the offer ends, in milliseconds since 1970',
    spoil: ({ startSession }) => ({
      startSession: async (request, now) => {
        const session = await startSession(request, now);
        return session.kind === 'open' ? { ...session, offerEndsAt: session.offerEndsAt / 1000 } : session;
      },
    }),
  },
  {
    bug: 'creates a session again after a lost answer',
    promise: 'startSession: sends again only what was not processed',
    spoil: ({ startSession }) => ({ startSession: (request, now) => again(() => startSession(request, now)) }),
  },
  {
    bug: 'opens any payment page',
    promise: 'startSession: opens allowed payment pages only',
    spoil: ({ startSession }) => ({
      startSession: async (request, now) => {
        const session = await startSession(request, now);
        if (session.kind === 'open' || session.fault === 'mismatch') return session;
        return openAt(session.gatewayId, request.expiresAt);
      },
    }),
  },
  {
    bug: 'compares no amount of a new session',
    promise: 'startSession: opens no page of another amount',
    spoil: ({ startSession }) => ({
      startSession: async (request, now) => {
        const session = await startSession(request, now);
        if (session.kind === 'open' || session.fault !== 'mismatch') return session;
        return openAt(session.gatewayId, request.expiresAt);
      },
    }),
  },
  {
    bug: 'retries a charge',
    promise: 'processPayment: sends once',
    spoil: ({ processPayment }) => ({
      processPayment: async (request) => {
        const first = await processPayment(request);
        return first.kind === 'unknown' ? processPayment(request) : first;
      },
    }),
  },
  {
    bug: 'reads a lost answer as refused',
    promise: 'processPayment: `refused` proves that no payment was made',
    spoil: ({ processPayment }) => ({
      processPayment: async (request) => {
        const processed = await processPayment(request);
        const isLost = processed.kind === 'unknown' && processed.error.code === 'connection_lost';
        return isLost ? { ...processed, kind: 'refused' } : processed;
      },
    }),
  },
  {
    bug: 'binds the id of a payment of another amount',
    promise: 'processPayment: accepts no payment of another amount or reference',
    spoil: ({ processPayment }) => ({
      processPayment: async (request) => {
        const processed = await processPayment(request);
        if (processed.kind !== 'unknown' || processed.error.reason !== 'mismatch') return processed;
        return { kind: 'known', payment: { status: 'paid', gatewayId: 'another-id', gatewayStatus: 'authorized' } };
      },
    }),
  },
  {
    bug: 'sends no return URL of a card payment',
    promise: 'processPayment: sends the return URL',
    spoil: ({ processPayment }) => ({
      processPayment: (request) => processPayment({ ...request, returnUrl: 'https://shop.example/' }),
    }),
  },
  {
    bug: 'waits for the bank after a decline',
    promise: 'processPayment: reports a declined card',
    spoil: lookUpWith((payment) => (payment.status === 'declined' ? { ...payment, status: 'processing' } : payment)),
  },
  {
    bug: 'accepts any bank page',
    promise: 'processPayment: returns only a safe bank page',
    spoil: ({ processPayment }) => ({
      processPayment: async (request) => {
        const processed = await processPayment(request);
        const isWaiting = processed.kind === 'known' && processed.payment.status === 'pending';
        return isWaiting && !processed.bankUrl ? { ...processed, bankUrl: 'javascript:alert(1)' } : processed;
      },
    }),
  },
  {
    bug: 'gives the browser the API key',
    promise: 'accessToken: returns a token for the browser, never the API key',
    spoil: ({ accessToken }) => ({ accessToken: async () => (await accessToken()) && API_KEY }),
  },
  {
    bug: 'refunds again after a lost answer',
    promise: 'refundPayment: sends once',
    spoil: ({ refundPayment }) => ({
      refundPayment: async (refund) => {
        const first = await refundPayment(refund);
        return first.state === 'unknown' ? refundPayment(refund) : first;
      },
    }),
  },
  {
    bug: 'reads a lost answer to a refund as refused',
    promise: 'refundPayment: `refused` proves that the request returned no money',
    spoil: ({ refundPayment }) => ({
      refundPayment: async (refund) => {
        const outcome = await refundPayment(refund);
        return outcome.gatewayStatus === 'connection_lost' ? { ...outcome, state: 'refused' } : outcome;
      },
    }),
  },
  {
    bug: 'refunds the whole payment for a part',
    promise: 'refundPayment: refunds the requested amount',
    spoil: ({ refundPayment }) => ({
      refundPayment: (refund) => refundPayment({ ...refund, amount: centavos(15_000) }),
    }),
  },
  {
    bug: 'reads the refund of any payment as its own',
    promise: 'readRefund: returns the state of this refund only',
    spoil: ({ readRefund }) => ({
      readRefund: async (id, refund) => ({ ...(await readRefund(id, refund)), state: 'succeeded' }),
    }),
  },
  {
    bug: 'reads the status of a payment from its webhook',
    promise: 'readWebhook: returns ids and references, never status or amount',
    spoil: ({ readWebhook }) => ({
      readWebhook: (json) => {
        const hint = readWebhook(json);
        return hint && { ...hint, status: 'paid' };
      },
    }),
  },
  {
    bug: 'reports a wrong API key as an unknown id',
    promise: 'Each call: is authenticated',
    spoil: ({ lookUp }) => ({
      lookUp: (flow, id) =>
        lookUp(flow, id).catch((error: GatewayError) => {
          throw error.code === 'unauthorized' ? new GatewayError({ call: error.call, code: 'not_found' }) : error;
        }),
    }),
  },
  {
    bug: 'waits for a token without end',
    promise: 'Each call: ends before its deadline',
    spoil: ({ accessToken }) => ({
      accessToken: () =>
        accessToken().catch((error: GatewayError) => {
          if (error.code !== 'timeout') throw error;
          return new Promise(() => {});
        }),
    }),
  },
  {
    bug: 'adds the request to its errors',
    promise: 'Each call: fails with a `GatewayError` that has no key, header or body',
    spoil: ({ lookUp }) => ({
      lookUp: (flow, id) =>
        lookUp(flow, id).catch((error: Error) => {
          throw Object.assign(error, { config: { headers: { Authorization: `Token ${API_KEY}` } } });
        }),
    }),
  },
  {
    bug: 'reads an answer of any size',
    promise: 'Each call: limits the size of an answer',
    spoil: ({ accessToken }) => ({
      accessToken: () =>
        accessToken().catch(({ call, code, reason }: GatewayError) => {
          throw new GatewayError({ call, code, ...(reason !== 'too_large' && { reason }) });
        }),
    }),
  },
  {
    bug: 'follows any redirect with its key',
    promise: 'Each call: follows no redirect to another origin',
    spoil: ({ lookUp }, url) => ({
      lookUp: (flow, id) => lookUp(flow, id).catch(() => followRedirect(lookUp, url, flow, id)),
    }),
  },
];
