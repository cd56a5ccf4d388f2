/** Refunds of orders that need a decision, that are oversold, or whose API key changed. */
import { expect, test } from '@jest/globals';

import { paymentsOf, refundPayment } from '@tianguis/payments/testing';
import { attemptStates, loseCardAnswer, MINUTE, reconcileAll } from '../checkout/support.js';
import { Customer, contact, readOrderPage } from '../support/customer.js';
import { allAttempts, allFulfillments, allOrders, dumpDatabase, theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, payAndReturn, payByCard } from '../support/purchase.js';
import { record, refunding, refundStates } from '../support/refunds.js';
import { openSharedShop } from '../support/shared-shop.js';
import { passTime } from '../support/steps.js';
import { endReservations, LIMITED, openLimitedPage, oversell, setStock, takesOf } from '../support/stock.js';
import { OTHER_AMOUNT, openMismatch, withKey } from './support.js';

const shop = await openSharedShop();
const checkout = refunding(shop);

/** Records that the payment of this attempt was returned in the gateway's dashboard. */
async function recordRefundOf(orderId: string) {
  const attempt = (await allAttempts(shop)).find((each) => each.orderId === orderId);
  if (!attempt) throw new Error('the order has no attempt');
  return record(shop, attempt);
}

/** Returns the attempt that paid an order, or the other one. */
async function attemptOf(orderId: string, which: 'paying' | 'other' = 'paying') {
  const order = (await allOrders(shop)).find(({ id }) => id === orderId);
  const attempts = (await allAttempts(shop)).filter((attempt) => attempt.orderId === orderId);
  const attempt = attempts.find(({ id }) => (id === order?.paidAttemptId) === (which === 'paying'));
  if (!attempt) throw new Error(`the order has no ${which} attempt`);
  return attempt;
}

test('a refunded mismatch is a cancelled order whose page shows the refund, and later lookups change nothing', async () => {
  const { customer, returnPath, orderPath } = await openMismatch(shop);

  const outcome = await recordRefundOf((await theOrder(shop)).id);
  shop.control.clearFaults();
  shop.clock.advance(5_000);
  await customer.get(returnPath);
  const page = await customer.get(orderPath);

  expect(outcome).toMatchObject({ kind: 'done', order: { state: 'cancelled', reviewReason: null } });
  expect(await allAttempts(shop)).toMatchObject([{ state: 'refunded', confirmedAmount: 1 }]);
  expect(readOrderPage(page.text).state).toBe('cancelled');
  expect(page.text).toContain('Te devolvimos el pago');
  expect(page.text).not.toContain('Se cerró sin');
  expect([await allFulfillments(shop), await refundStates(shop)]).toEqual([[], ['recorded']]);
});

test('an order stays in review after a refund while another attempt of it has an unknown outcome', async () => {
  const page = await openHostedPage(shop);
  await loseCardAnswer(shop, 'after', page);
  shop.control.fault('read-session', OTHER_AMOUNT);
  await payAndReturn(shop, page);

  const before = await attemptStates(shop);
  await recordRefundOf((await theOrder(shop)).id);

  expect([before, await attemptStates(shop)]).toEqual([
    ['review', 'unknown'],
    ['refunded', 'unknown'],
  ]);
  expect(await theOrder(shop)).toMatchObject({ state: 'review', reviewReason: 'other_amount' });
});

test('the decisions close and refund about a payment that the gateway confirmed are refused and change nothing', async () => {
  await openMismatch(shop);
  const before = await dumpDatabase(shop);

  const { id: orderId, version } = await theOrder(shop);
  const request = { orderId, version, by: 'ana', note: '' };
  const results = [
    await paymentsOf(checkout).decide({ ...request, decision: 'close' }),
    await paymentsOf(checkout).decide({ ...request, decision: 'refund' }),
  ];

  expect(results).toEqual(['not_open', 'not_open']);
  expect(await dumpDatabase(shop)).toBe(before);
});

test('an oversold order that was refunded stays paid, and its page shows the refund', async () => {
  const { orderId, customer, orderPath } = await oversell(shop);

  await record(shop, await attemptOf(orderId));
  const page = await customer.get(orderPath);
  const order = (await allOrders(shop)).find(({ id }) => id === orderId);

  expect(order).toMatchObject({ state: 'paid', reviewReason: null });
  expect(page.text).toContain('Te devolvimos el pago');
  expect(page.text).not.toContain('en preparación');
  expect(await takesOf(shop)).toEqual([0, 1]);
});

test('a refund of a second payment leaves an oversold order oversold, until its own payment is refunded', async () => {
  await setStock(shop, 1);
  const customer = await Customer.withCart(shop, { product_id: LIMITED });
  await payByCard(shop, customer, CARDS.challenged);
  passTime(shop, 9 * MINUTE);
  await customer.payHosted({ ...contact, pay_again: '1' });
  const [bank, hosted] = await allAttempts(shop);
  shop.control.approve(bank?.gatewayId ?? '');
  shop.control.paySession(hosted?.gatewayId ?? '');
  await endReservations(shop);
  await payAndReturn(shop, await openLimitedPage(shop));
  await reconcileAll(checkout);

  const reasons: unknown[] = [];
  for (const which of ['other', 'paying'] as const) {
    reasons.push((await allOrders(shop))[0]?.reviewReason);
    await record(shop, await attemptOf(hosted?.orderId ?? '', which));
  }
  reasons.push((await allOrders(shop))[0]?.reviewReason);

  expect(reasons).toEqual(['second_payment', 'oversold', null]);
  expect((await allAttempts(shop)).map(({ state }) => state).slice(0, 2)).toEqual(['refunded', 'refunded']);
});

test('a refund of a payment of another key is sent only after a lookup with the present key agrees', async () => {
  await payByCard(shop, await Customer.withCart(shop));
  const [paid] = await allAttempts(shop);
  const context = { ...checkout, config: { ...checkout.config, keyFingerprint: 'new' } };
  const refund = async () => {
    const { id: orderId, version, total: amount } = await theOrder(shop);
    const request = { orderId, attemptId: paid?.id ?? '', version, amount, reason: '', by: 'ana', refundedOn: '' };
    return refundPayment(context, { ...request, way: 'gateway', returnsGoods: false });
  };

  shop.control.fault('read-transaction', { kind: 'status', status: 404 });
  const refused = await refund();
  const sent = shop.control.calls('refund').length;
  shop.control.clearFaults();
  const done = await refund();

  expect([refused, sent]).toEqual([{ kind: 'refused', reason: 'other_key' }, 0]);
  expect(done).toMatchObject({ kind: 'done', refund: { state: 'succeeded' } });
  expect((await allAttempts(shop))[0]?.keyFingerprint).toBe('new');
});

test('a refund of an attempt without a gateway id is refused, also with a new key', async () => {
  await loseCardAnswer(shop, 'after');
  const [attempt] = await allAttempts(shop);
  const { id: orderId, version, total: amount } = await theOrder(shop);
  const context = { ...withKey(shop, 'new'), config: { ...withKey(shop, 'new').config, refunds: 'gateway' as const } };
  const request = { orderId, attemptId: attempt?.id ?? '', version, amount, reason: '', by: 'ana', refundedOn: '' };

  const result = await refundPayment(context, { ...request, way: 'gateway', returnsGoods: false });

  expect(result).toMatchObject({ kind: 'refused', reason: 'no_payment' });
});
