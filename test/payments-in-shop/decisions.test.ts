import { expect, test } from '@jest/globals';
import type { Payments } from '@tianguis/payments';
import type { AdminDecision } from '@tianguis/payments/rules';
import { cancelOrder } from '../../src/shop/order-requests.js';
import {
  attemptStates,
  DAY,
  HOUR,
  loseCardAnswer,
  MINUTE,
  orderStates,
  reconcileAfter,
  sentPayments,
} from '../checkout/support.js';
import { until } from '../support/crowd.js';
import { Customer, contact } from '../support/customer.js';
import { allFulfillments, allOrders, theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, openPageOf, payAndReturn, payByCard } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import { openMismatch, receivePaymentWebhook } from './support.js';

const NOT_WANTED = { reason: 'not_wanted', text: '' } as const;
const shop = await openSharedShop();

/** Reads the order under review and decides it, as an admin user does. */
async function decide(decision: AdminDecision, more: Partial<Parameters<Payments['decide']>[0]> = {}) {
  const { id, version } = await orderInReview();
  const request = { orderId: id, version, decision, by: 'ana', note: '', ...more };
  const result = await shop.checkout.payments.decide(request);
  return { result, order: (await allOrders(shop)).find((order) => order.id === id) };
}

async function orderInReview() {
  const order = (await allOrders(shop)).find(
    ({ reviewReason, state }) => reviewReason !== null || state === 'outcome_unknown',
  );
  if (!order) throw new Error('no order is under review');
  return order;
}

async function history() {
  const events = shop.queries.selectFrom('orderEvents').select('detail').where('kind', '=', 'decided');
  return (await events.orderBy('id').execute()).map(({ detail }) => JSON.parse(detail) as object);
}

const firstPaymentId = () => shop.control.payments()[0]?.id ?? '';

test('an order stays in review until the merchant confirms it and a lookup matches, and is then paid once', async () => {
  await openMismatch(shop);
  const before = await orderInReview();
  const differing = await decide('confirm');
  shop.control.clearFaults();
  shop.control.fault('read-session', { kind: 'status', status: 500 });
  const failing = await decide('confirm');
  const unpaid = await allFulfillments(shop);
  shop.control.clearFaults();

  const outcome = await decide('confirm', { note: 'seen at the gateway' });

  expect([before.state, before.reviewReason]).toEqual(['review', 'other_amount']);
  expect(differing).toMatchObject({ result: 'not_confirmed', order: { state: 'review' } });
  expect(failing).toMatchObject({ result: 'unreachable', order: { state: 'review' } });
  expect(unpaid).toEqual([]);
  expect(outcome).toMatchObject({ result: 'done', order: { state: 'paid', reviewReason: null } });
  expect(await allFulfillments(shop)).toHaveLength(1);
  expect(await history()).toEqual([
    { decision: 'confirm', result: 'not_confirmed', by: 'ana' },
    { decision: 'confirm', result: 'unreachable', by: 'ana' },
    { decision: 'confirm', result: 'paid', by: 'ana', note: 'seen at the gateway' },
  ]);
});

test('a lost card payment is paid only when the merchant confirms its own id and the gateway answers', async () => {
  await payByCard(shop, await Customer.withCart(shop));
  const foreign = firstPaymentId();
  await loseCardAnswer(shop, 'after');
  const gatewayId = shop.control.payments()[1]?.id;

  const other = await decide('confirm', { gatewayId: foreign });
  const none = await decide('confirm', { gatewayId: '00000000-0000-4000-8000-000000000000' });
  shop.control.fault('read-transaction', { kind: 'status', status: 503 });
  const failing = await decide('confirm', { gatewayId });
  const unpaid = await orderStates(shop);
  shop.control.clearFaults();
  const confirmed = await decide('confirm', { gatewayId });

  const results = [other, none, failing, confirmed].map(({ result }) => result);
  expect(results).toEqual(['not_confirmed', 'not_confirmed', 'unreachable', 'done']);
  expect([unpaid, await orderStates(shop)]).toEqual([
    ['paid', 'outcome_unknown'],
    ['paid', 'paid'],
  ]);
  expect(await allFulfillments(shop)).toHaveLength(2);
});

test('an order paid on its hosted page after a card answer was lost is in review, until the merchant closes it', async () => {
  const page = await openHostedPage(shop);
  await loseCardAnswer(shop, 'after', page);
  await payAndReturn(shop, page);
  const paid = await theOrder(shop);

  const { result, order: closed } = await decide('close');
  await receivePaymentWebhook(
    shop,
    shop.control.payments().find(({ reference }) => reference !== paid.number),
  );

  expect(shop.control.ledger()).toHaveLength(2);
  expect(paid).toMatchObject({ state: 'paid', reviewReason: 'outcome_unknown' });
  expect([result, closed?.reviewReason]).toEqual(['done', null]);
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: 'second_payment' });
});

test('an order paid on its hosted page before the process of its card payment died is in review', async () => {
  const page = await openHostedPage(shop);
  shop.control.fault('process', { kind: 'hold' }, 1);
  const submitted = payByCard(shop, page.customer, CARDS.paid, { ...contact, pay_again: '1' });
  await until(() => sentPayments(shop).length === 1);
  await payAndReturn(shop, page);
  const before = await theOrder(shop);

  await reconcileAfter(shop, MINUTE);
  const lapsed = await theOrder(shop);
  shop.control.release();
  await submitted;

  expect(before).toMatchObject({ state: 'paid', reviewReason: null });
  expect(lapsed).toMatchObject({ state: 'paid', reviewReason: 'outcome_unknown' });
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: 'second_payment' });
});

test('after the merchant closes a card payment that never arrived, the customer pays the cart with a new order', async () => {
  const customer = await loseCardAnswer(shop, 'before');

  const outcome = await decide('close');
  await payByCard(shop, customer);

  expect(outcome).toMatchObject({ result: 'done', order: { state: 'cancelled' } });
  expect(await orderStates(shop)).toEqual(['cancelled', 'paid']);
  expect(shop.control.ledger()).toHaveLength(1);
});

test('a closed card payment that was charged is paid when a webhook names it', async () => {
  await loseCardAnswer(shop, 'after');

  await decide('close');
  await receivePaymentWebhook(shop);

  expect((await theOrder(shop)).state).toBe('paid');
  expect(await allFulfillments(shop)).toHaveLength(1);
});

test('a webhook about a closed payment does not end the unknown outcome of the next one', async () => {
  const customer = await loseCardAnswer(shop, 'after', { card: CARDS.challenged });
  await decide('close');
  await loseCardAnswer(shop, 'before', { customer });
  shop.control.refuse(firstPaymentId());

  await receivePaymentWebhook(shop);

  expect(await attemptStates(shop)).toEqual(['declined', 'unknown']);
  expect(await orderStates(shop)).toEqual(['cancelled', 'outcome_unknown']);
});

test('after the merchant closes a payment in review whose page is still open, the worker finds the later payment', async () => {
  const page = await openHostedPage(shop);
  shop.control.fault('read-session', { kind: 'rewrite', set: { transaction_status: 'Success' } });
  await reconcileAfter(shop, MINUTE);
  const reviewed = await attemptStates(shop);
  await reconcileAfter(shop, 3 * DAY);
  shop.control.clearFaults();

  const closed = await decide('close');
  const watched = await attemptStates(shop);
  shop.control.paySession(page.session);
  await reconcileAfter(shop, HOUR);

  expect([reviewed, closed.result, closed.order?.state]).toEqual([['review'], 'done', 'cancelled']);
  expect(watched).toEqual(['superseded']);
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
});

test('a closed payment without a usable answer is not on the merchant’s list again', async () => {
  await openHostedPage(shop);
  shop.control.fault('read-session', { kind: 'rewrite', set: { transaction_status: 'Success' } });
  await reconcileAfter(shop, MINUTE);

  await decide('close');
  await reconcileAfter(shop, HOUR);

  expect(await theOrder(shop)).toMatchObject({ state: 'cancelled', reviewReason: null });
  expect(await attemptStates(shop)).toEqual(['cancelled']);
});

test('the same decision of two admin users about an unconfirmed payment is applied once, and one about an older version never', async () => {
  await loseCardAnswer(shop, 'after');

  const { id: orderId, version } = await orderInReview();
  const outdated = await decide('refund', { version: version - 1 });
  const unchanged = await theOrder(shop);
  const request = { orderId, version, decision: 'refund', by: 'ana', note: '' } as const;
  const outcomes = await Promise.all([1, 2].map(() => shop.checkout.payments.decide(request)));

  expect([outdated.result, unchanged.state]).toEqual(['changed', 'outcome_unknown']);
  expect(outcomes.sort()).toEqual(['changed', 'done']);
  expect([await orderStates(shop), await attemptStates(shop)]).toEqual([['cancelled'], ['refunded']]);
  expect(await history()).toHaveLength(1);
});

test('a cart submitted again after the merchant cancelled its order places a new order, and a late payment of both is a second payment', async () => {
  const page = await openHostedPage(shop);
  const { id: orderId, version } = await theOrder(shop);

  const outcome = await cancelOrder(shop.checkout, { orderId, version, cancellation: NOT_WANTED });
  const second = await openPageOf(shop, page.customer);
  const orders = await allOrders(shop);

  expect(outcome).toBe('cancelled');
  expect(orders).toMatchObject([
    { id: orderId, state: 'cancelled', supersededBy: second.orderId },
    { id: second.orderId, state: 'pending' },
  ]);
  for (const each of [second, page]) await payAndReturn(shop, each);
  expect(await allOrders(shop)).toMatchObject([
    { state: 'review', reviewReason: 'second_payment' },
    { state: 'paid', reviewReason: null },
  ]);
});

test('the cancellation of a replaced declined order leaves the open payment page of the newer order unchanged', async () => {
  const customer = await Customer.withCart(shop);
  await payByCard(shop, customer, CARDS.declined);
  const { id: orderId } = await theOrder(shop);
  await customer.add();
  const open = await openPageOf(shop, customer);
  const [declined] = await allOrders(shop);

  const outcome = await cancelOrder(shop.checkout, {
    orderId,
    version: declined?.version ?? 0,
    cancellation: NOT_WANTED,
  });

  expect([declined?.state, outcome]).toEqual(['declined', 'cancelled']);
  expect(await openPageOf(shop, customer)).toEqual(open);
  expect(await allOrders(shop)).toHaveLength(2);
});
