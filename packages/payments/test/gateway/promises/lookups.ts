/** What lookups promise. */
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { errorOf } from '../support.js';
import { type AdapterPromise, AMOUNT, payBy, payByEach, startSession } from './try-adapter.js';

export const LOOKUPS: readonly AdapterPromise[] = [
  {
    name: 'lookUp: returns status, id, amount and currency `MXN`',
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
    name: 'lookUp: returns the exact amount in centavos',
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
    name: 'lookUp: returns id and reference of the answer',
    async check(tried) {
      const { adapter, server } = tried;
      const payments = await payByEach(tried);
      for (const { flow, id, reference } of payments)
        expect((await adapter.lookUp(flow, id)).reference).toBe(server.hasReference(flow) ? reference : undefined);
      server.answerWith('other-id');
      for (const { flow, id } of payments) expect((await adapter.lookUp(flow, id)).gatewayId).not.toBe(id);
      server.answerWith('other-reference');
      for (const { flow, id, reference } of payments.filter((payment) => server.hasReference(payment.flow)))
        expect([reference, undefined]).not.toContain((await adapter.lookUp(flow, id)).reference);
    },
  },
  {
    name: 'lookUp: leaves absent values absent',
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
    name: 'lookUp: reads an unknown status as neither paid nor final',
    async check(tried) {
      const payments = await payByEach(tried);
      tried.server.answerWith('unknown-status');
      for (const { flow, id } of payments)
        expect(['processing', 'unclear']).toContain((await tried.adapter.lookUp(flow, id)).status);
    },
  },
  {
    name: 'lookUp: throws `not_found` for an unknown id',
    async check({ adapter }) {
      for (const flow of adapter.flows)
        expect((await errorOf(adapter.lookUp(flow, randomUUID()))).code).toBe('not_found');
    },
  },
  {
    name: 'isPlainPending: only while the gateway waits for the customer',
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
  {
    name: 'hasFailedTry, isDeclinedTry: only after a failed card on an open page',
    async check(tried) {
      const { adapter, server } = tried;
      const [open, other] = [await startSession(adapter), await startSession(adapter)];
      const haveFailed = async (id: string) => {
        const { gatewayStatus } = await adapter.lookUp('hosted', id);
        return [adapter.hasFailedTry(gatewayStatus), adapter.isDeclinedTry(gatewayStatus)];
      };
      expect(await haveFailed(open.gatewayId)).toEqual([false, false]);
      server.paySession(open.gatewayId);
      expect(await haveFailed(open.gatewayId)).toEqual([false, false]);
      server.answerWith('unknown-status');
      expect(await haveFailed(other.gatewayId)).toEqual([false, false]);
    },
  },
];
