/** A refund while another process holds its order, as a frozen one does. */
import { expect, test } from '@jest/globals';
import { refundPayment, resolveRefund, TRANSACTION_LIMITS } from '@tianguis/payments/testing';
import { REFUND_WAITS } from '../../packages/payments/src/refund-payment.js';
import { lockOrder } from '../../src/tables/orders.js';
import { until } from '../support/crowd.js';
import {
  allRefunds,
  BY_GATEWAY,
  openPaidOrder,
  orderOf,
  refund,
  refunding,
  refundStates,
  requestOf,
} from '../support/refunds.js';
import { openSharedShop } from '../support/shared-shop.js';

const shop = await openSharedShop(BY_GATEWAY);
const checkout = refunding(shop);
const sent = () => shop.control.calls('refund').length;

/** Longer than the test, also on a busy machine. */
const LIMITS = { ...TRANSACTION_LIMITS, totalMs: 60_000, idleMs: 60_000 };

test('case 180: a refund whose answer cannot be stored yet ends its request as being sent, and the answer is stored later', async () => {
  const { attempt } = await openPaidOrder(shop);
  const request = await requestOf(shop, attempt);
  shop.control.fault('refund', { kind: 'hold' }, 1);
  const refunding = refundPayment(checkout, request, { ...REFUND_WAITS, storeMs: 1 });
  await until(() => sent() === 1);
  await using other = await shop.connect();

  const result = await other.transaction(async (queries) => {
    await lockOrder(queries, attempt.orderId);
    shop.control.release();
    return refunding;
  }, LIMITS);
  await until(async () => (await refundStates(shop)).includes('succeeded'));

  expect(result).toMatchObject({ kind: 'done', refund: { state: 'sending' } });
  expect([sent(), shop.control.refundLedger().length]).toEqual([1, 1]);
});

test('a refund, and its repetition, that waited too long before the call are not sent, and change nothing', async () => {
  const { attempt } = await openPaidOrder(shop);
  const waits = { ...REFUND_WAITS, startMs: 0 };
  const late = await refundPayment(checkout, await requestOf(shop, attempt), waits);
  const written = await refundStates(shop);
  shop.control.fault('refund', { kind: 'drop', when: 'after' }, 1);
  await refund(shop, attempt);
  const [{ id: refundId = '' } = {}] = await allRefunds(shop);
  const { version } = await orderOf(shop, attempt);
  const repeat = { orderId: attempt.orderId, refundId, version, action: 'repeat', by: 'ana' } as const;

  const repeated = await resolveRefund(checkout, repeat, waits);

  expect([late.kind, written, repeated]).toEqual(['late', [], 'late']);
  expect([sent(), (await orderOf(shop, attempt)).version]).toEqual([1, version]);
});
