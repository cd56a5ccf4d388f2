/** What refunds and webhook events promise. */
import { expect } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import {
  type AdapterPromise,
  AMOUNT,
  payBy,
  payByEach,
  refundOf,
  requestsOf,
  type Started,
  UNPROVEN,
  withEach,
} from './try-adapter.js';

export const REFUNDS: readonly AdapterPromise[] = [
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
    name: 'refundPayment: `refused` proves that the request returned no money',
    async check(tried) {
      const payment = await payBy('card', tried);
      await withEach(tried, ['refused'], async ({ adapter }) => {
        expect((await adapter.refundPayment(refundOf(payment))).state).toBe('refused');
      });
      expect(tried.server.moved().refunds).toEqual([]);
      const flaws = [...UNPROVEN, 'unknown-status', 'other-amount'] as const;
      await withEach(tried, flaws, async ({ adapter }) => {
        expect((await adapter.refundPayment(refundOf(payment))).state).toBe('unknown');
      });
    },
  },
  {
    name: 'refundPayment: refunds the requested amount',
    async check(tried) {
      const payment = await payBy('card', tried);
      const part = centavos(9_999);
      const { state } = await tried.adapter.refundPayment(refundOf(payment, part));
      expect(['succeeded', 'pending']).toContain(state);
      expect(tried.server.moved().refunds).toEqual([part]);
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

export const WEBHOOKS: readonly AdapterPromise[] = [
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
