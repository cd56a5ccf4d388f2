/** The promises of `docs/adapting.md`, "Another gateway", as checks that know no gateway. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type Centavos, centavos } from '../../../src/domain/money.js';
import type { PaymentFlow } from '../../../src/domain/order.js';
import type { GatewayCall } from '../../../src/gateway/errors.js';
import { within } from '../../support/crowd.js';
import { openServer } from '../../support/http.js';
import { API_KEY } from '../../support/test-shop.js';
import { dumpError, errorOf, paymentRequest, SHORT, sessionRequest } from '../support.js';
import { type Adapter, ECHO, type FaultyServer, type Flaw, type Pair } from './faulty-server.js';

interface Tried extends Pair {
  readonly adapter: Adapter;
}

export interface AdapterPromise {
  readonly name: string;
  /** Rejects if the adapter breaks the promise. */
  check(tried: Tried): Promise<void>;
}

/** Opens a pair, runs the check and closes both. Rejects as the check does. */
export async function runCheck({ check }: AdapterPromise, openPair: () => Promise<Pair>): Promise<void> {
  const { server, openAdapter } = await openPair();
  await using _server = server;
  using adapter = openAdapter();
  await check({ server, openAdapter, adapter });
}

/** Defines one test per promise. */
export function describePromises(name: string, openPair: () => Promise<Pair>): void {
  describe(name, () => {
    test.each(PROMISES.map((promise) => [promise.name, promise] as const))('%s', async (_name, promise) => {
      await expect(runCheck(promise, openPair)).resolves.toBeUndefined();
    });
  });
}

interface Started {
  readonly flow: PaymentFlow;
  readonly id: string;
  readonly reference: string;
}

const AMOUNT = centavos(15_000);

/** Starts and pays one payment of a flow. */
async function payBy(flow: PaymentFlow, { adapter, server }: Tried, amount: Centavos = AMOUNT): Promise<Started> {
  const reference = `TG-${randomUUID()}`;
  if (flow === 'hosted') {
    const { gatewayId: id } = await adapter.startSession(sessionRequest({ reference, amount }), Date.now());
    server.paySession(id);
    return { flow, id, reference };
  }
  const processed = await adapter.processPayment(
    paymentRequest({ reference, amount, tokens: server.cardTokens('paid') }),
  );
  if (processed.kind !== 'known') throw new Error(`the payment is ${processed.kind}`);
  return { flow, id: processed.payment.gatewayId, reference };
}

const payByEach = async (tried: Tried): Promise<readonly Started[]> =>
  Promise.all(tried.adapter.flows.map((flow) => payBy(flow, tried)));

const startSession = (adapter: Adapter) => adapter.startSession(sessionRequest(), Date.now());
const pay = ({ adapter, server }: Tried, card: Parameters<FaultyServer['cardTokens']>[0] = 'paid') =>
  adapter.processPayment(paymentRequest({ tokens: server.cardTokens(card) }));
const refundOf = ({ id }: Started, amount = AMOUNT) => ({ idempotencyKey: randomUUID(), gatewayId: id, amount });

/** Runs `act` with a new adapter for each flaw. An earlier flaw does not affect the next one. */
async function withEach(
  { server, openAdapter }: Tried,
  flaws: readonly Flaw[],
  act: (tried: Tried, flaw: Flaw) => Promise<void>,
): Promise<void> {
  for (const flaw of flaws) {
    using adapter = openAdapter();
    server.answerWith(flaw);
    await act({ server, openAdapter, adapter }, flaw);
  }
}

/** After these the gateway may have acted. */
const UNPROVEN: readonly Flaw[] = ['lost', 'broken', 'unreadable'];

/** Returns the errors of all calls, each of which must fail. */
function errorsOfAll(adapter: Adapter, server: FaultyServer, payment: Started) {
  const failed = async (call: Promise<object>) => {
    const result = await call;
    return 'error' in result && result.error instanceof Error ? [result.error] : [];
  };
  const errorOfCall = async (call: Promise<unknown>) => [await errorOf(call)];
  return Promise.all([
    ...adapter.flows.map((flow) => errorOfCall(adapter.lookUp(flow, payment.id))),
    errorOfCall(startSession(adapter)),
    errorOfCall(adapter.accessToken()),
    errorOfCall(adapter.readRefund('refund-1', refundOf(payment))),
    failed(adapter.processPayment(paymentRequest({ tokens: server.cardTokens('paid') }))),
    failed(adapter.refundPayment(refundOf(payment))),
  ]).then((errors) => errors.flat());
}

/** Returns how many further requests of a call `act` causes. */
async function requestsOf(server: FaultyServer, call: GatewayCall, act: () => Promise<unknown>): Promise<number> {
  const before = server.requests(call);
  await act().catch(() => undefined);
  return server.requests(call) - before;
}

const LOOKUPS: readonly AdapterPromise[] = [
  {
    name: 'lookUp: returns status, id, amount and currency',
    async check(tried) {
      for (const { flow, id } of await payByEach(tried))
        expect(await tried.adapter.lookUp(flow, id)).toMatchObject({
          status: 'paid',
          gatewayId: id,
          amount: AMOUNT,
          currency: 'MXN',
        });
    },
  },
  {
    name: 'lookUp: the amount is exact, in centavos',
    async check(tried) {
      for (const flow of tried.adapter.flows)
        for (const amount of [1, 115, 1_999, 100_000_003].map(centavos)) {
          const { id } = await payBy(flow, tried, amount);
          expect((await tried.adapter.lookUp(flow, id)).amount).toBe(amount);
        }
      const payments = await payByEach(tried);
      tried.server.answerWith('fraction');
      for (const { flow, id } of payments) expect((await tried.adapter.lookUp(flow, id)).amount).not.toBe(AMOUNT);
    },
  },
  {
    name: 'lookUp: returns the reference of the answer',
    async check(tried) {
      const { adapter, server } = tried;
      const payments = await payByEach(tried);
      for (const { flow, id, reference } of payments)
        expect((await adapter.lookUp(flow, id)).reference).toBe(server.hasReference(flow) ? reference : undefined);
      server.answerWith('other-reference');
      for (const { flow, id, reference } of payments.filter((payment) => server.hasReference(payment.flow)))
        expect([reference, undefined]).not.toContain((await adapter.lookUp(flow, id)).reference);
    },
  },
  {
    name: 'lookUp: returns the id of the answer',
    async check(tried) {
      const payments = await payByEach(tried);
      tried.server.answerWith('other-id');
      for (const { flow, id } of payments) expect((await tried.adapter.lookUp(flow, id)).gatewayId).not.toBe(id);
    },
  },
  {
    name: 'lookUp: absent values stay absent',
    async check(tried) {
      const payments = await payByEach(tried);
      tried.server.answerWith('bare');
      for (const { flow, id } of payments) {
        const { amount, currency, reference } = await tried.adapter.lookUp(flow, id);
        expect([amount, currency, reference ?? undefined]).toEqual([undefined, undefined, undefined]);
      }
    },
  },
  {
    name: 'lookUp: an unknown status is never paid and never final',
    async check(tried) {
      const payments = await payByEach(tried);
      tried.server.answerWith('unknown-status');
      for (const { flow, id } of payments)
        expect(['processing', 'unclear']).toContain((await tried.adapter.lookUp(flow, id)).status);
    },
  },
  {
    name: 'lookUp: an unknown id is `not_found`',
    async check({ adapter }) {
      for (const flow of adapter.flows)
        expect((await errorOf(adapter.lookUp(flow, randomUUID()))).code).toBe('not_found');
    },
  },
  {
    name: 'isPlainPending: the gateway waits for the customer only',
    async check(tried) {
      const { adapter, server } = tried;
      const [open, other] = [await startSession(adapter), await startSession(adapter)];
      const isPending = async (id: string) => {
        const { status, gatewayStatus } = await adapter.lookUp('hosted', id);
        return [status === 'pending', adapter.isPlainPending(gatewayStatus)];
      };
      expect(await isPending(open.gatewayId)).toEqual([true, true]);
      server.paySession(open.gatewayId);
      expect(await isPending(open.gatewayId)).toEqual([false, false]);
      server.answerWith('unknown-status');
      expect(await isPending(other.gatewayId)).toEqual([false, false]);
    },
  },
];

const SESSIONS: readonly AdapterPromise[] = [
  {
    name: 'startSession: sends again only what was not processed',
    check: (tried) =>
      withEach(tried, UNPROVEN, async ({ adapter, server }) => {
        expect(await requestsOf(server, 'create-session', () => startSession(adapter))).toBe(1);
      }),
  },
  {
    name: 'startSession: opens allowed payment pages only',
    async check(tried) {
      expect((await startSession(tried.adapter)).kind).toBe('open');
      await withEach(tried, ['foreign-page', 'unsafe-page'], async ({ adapter }) => {
        expect((await startSession(adapter)).kind).toBe('unusable');
      });
    },
  },
  {
    name: 'startSession: opens no page of another amount',
    async check({ adapter, server }) {
      server.answerWith('other-amount');
      expect((await startSession(adapter)).kind).toBe('unusable');
    },
  },
];

const CARD_PAYMENTS: readonly AdapterPromise[] = [
  {
    name: 'processPayment: sends once',
    check: (tried) =>
      withEach(tried, [...UNPROVEN, 'refused'], async (each) => {
        expect(await requestsOf(each.server, 'process-payment', () => pay(each))).toBe(1);
      }),
  },
  {
    name: 'processPayment: `refused` proves that no payment was made, otherwise `unknown`',
    async check(tried) {
      await withEach(tried, UNPROVEN, async (each) => {
        expect((await pay(each)).kind).toBe('unknown');
      });
      const { payments } = tried.server.moved();
      await withEach(tried, ['refused'], async (each) => {
        expect((await pay(each)).kind).toBe('refused');
      });
      expect(tried.server.moved().payments).toBe(payments);
    },
  },
  {
    name: 'processPayment: a declined card is declined, at once or by its lookup',
    async check(tried) {
      const processed = await pay(tried, 'declined');
      const status =
        processed.kind === 'known'
          ? (await tried.adapter.lookUp('card', processed.payment.gatewayId)).status
          : processed.kind;
      expect([status, tried.server.moved().payments]).toEqual(['declined', 0]);
    },
  },
  {
    name: 'processPayment: takes no id of another payment',
    check: (tried) =>
      withEach(tried, ['other-amount', 'other-reference'], async (each, flaw) => {
        if (flaw === 'other-reference' && !each.server.hasReference('card')) return;
        expect((await pay(each)).kind).toBe('unknown');
      }),
  },
  {
    name: 'processPayment: returns only a safe bank page',
    async check(tried) {
      expect(await pay(tried, 'challenged')).toMatchObject({ kind: 'known', bankUrl: expect.any(String) });
      tried.server.answerWith('unsafe-page');
      expect(await pay(tried, 'challenged')).not.toMatchObject({ bankUrl: expect.any(String) });
    },
  },
  {
    name: 'accessToken: never the API key',
    async check({ adapter }) {
      const token = await adapter.accessToken();
      expect([token.length > 0, token.includes(API_KEY)]).toEqual([true, false]);
    },
  },
];

const REFUNDS: readonly AdapterPromise[] = [
  {
    name: 'refundPayment: sends once',
    async check(tried) {
      const payment = await payBy('card', tried);
      await withEach(tried, [...UNPROVEN, 'refused'], async ({ adapter, server }) => {
        const refund = () => adapter.refundPayment(refundOf(payment));
        expect(await requestsOf(server, 'refund-payment', refund)).toBe(1);
      });
    },
  },
  {
    name: 'refundPayment: `refused` proves that this request returned no money, otherwise `unknown`',
    async check(tried) {
      const payment = await payBy('card', tried);
      await withEach(tried, ['refused'], async ({ adapter }) => {
        expect((await adapter.refundPayment(refundOf(payment))).state).toBe('refused');
      });
      expect(tried.server.moved().refunds).toBe(0);
      const flaws = [...UNPROVEN, 'unknown-status', 'other-amount'] as const;
      await withEach(tried, flaws, async ({ adapter }) => {
        expect((await adapter.refundPayment(refundOf(payment))).state).toBe('unknown');
      });
    },
  },
  {
    name: 'readRefund: returns the state of this refund only',
    async check(tried) {
      const { adapter } = tried;
      const payment = await payBy('card', tried);
      const { gatewayRefundId: id = '', state } = await adapter.refundPayment(refundOf(payment));
      const stateOf = (other: Started, amount = AMOUNT) =>
        adapter.readRefund(id, refundOf(other, amount)).then(
          (refund) => refund.state,
          // A gateway may have no lookup of refunds.
          (error: Error) => error.message.replace('read-refund: ', ''),
        );
      expect([state, 'not_found']).toContain(await stateOf(payment));
      for (const other of [stateOf({ ...payment, id: 'other' }), stateOf(payment, centavos(14_999))])
        expect(['unknown', 'not_found']).toContain(await other);
    },
  },
];

const WEBHOOKS: readonly AdapterPromise[] = [
  {
    name: 'readWebhook: returns ids and references, never status or amount',
    async check(tried) {
      const { adapter, server } = tried;
      for (const { id, reference } of await payByEach(tried)) {
        const hint = adapter.readWebhook(server.eventAbout(id));
        expect(hint?.texts.some((text) => text === id || text === reference)).toBe(true);
        const members = ['event', 'ids', 'texts', 'refund'];
        expect(Object.keys(hint ?? {}).filter((name) => !members.includes(name))).toEqual([]);
      }
      expect(adapter.readWebhook([])).toBeUndefined();
    },
  },
];

const SHAPE_FLAWS: readonly Flaw[] = ['broken', 'refused', 'unreadable'];
const BASIC = Buffer.from(`${API_KEY}:`).toString('base64');

const EVERY_CALL: readonly AdapterPromise[] = [
  {
    name: 'Each call: is authenticated',
    async check(tried) {
      const [payment] = await payByEach(tried);
      if (!payment) throw new Error('no payment flow');
      using adapter = tried.openAdapter({ apiKey: 'another key' });
      const errors = await errorsOfAll(adapter, tried.server, payment);
      expect(new Set(errors.map((error) => 'code' in error && error.code))).toEqual(new Set(['unauthorized']));
    },
  },
  {
    name: 'Each call: fails with a `GatewayError` that has no key, header or body',
    async check(tried) {
      const [payment] = await payByEach(tried);
      if (!payment) throw new Error('no payment flow');
      await withEach(tried, SHAPE_FLAWS, async ({ adapter, server }) => {
        const errors = await errorsOfAll(adapter, server, payment);
        const dump = errors.map(dumpError).join('\n');
        expect([API_KEY, BASIC, ECHO].filter((secret) => dump.includes(secret))).toEqual([]);
      });
    },
  },
  {
    name: 'Each call: ends before its deadline',
    async check(tried) {
      const [payment] = await payByEach(tried);
      if (!payment) throw new Error('no payment flow');
      using adapter = tried.openAdapter({ deadlines: SHORT });
      tried.server.answerWith('silent');
      await within(5 * SHORT['read-session'], errorsOfAll(adapter, tried.server, payment));
    },
  },
  {
    name: 'Each call: follows no redirect to another origin',
    async check(tried) {
      const [payment] = await payByEach(tried);
      if (!payment) throw new Error('no payment flow');
      let followed = 0;
      await using other = await openServer((_req, res) => {
        followed += 1;
        res.end('{}');
      });
      tried.server.answerWith({ redirectTo: `${other.url}/followed` });
      await errorsOfAll(tried.adapter, tried.server, payment);
      expect(followed).toBe(0);
    },
  },
];

export const PROMISES = [...LOOKUPS, ...SESSIONS, ...CARD_PAYMENTS, ...REFUNDS, ...WEBHOOKS, ...EVERY_CALL];
