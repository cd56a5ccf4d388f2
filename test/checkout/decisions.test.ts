import { expect, test } from 'vitest';
import { type DecisionRequest, decideOrder } from '../../src/checkout/decide-order.js';
import { cancelOrder } from '../../src/checkout/order-actions.js';
import type { AdminDecision } from '../../src/domain/decision.js';
import type { Fault } from '../../tools/simulator/faults.js';
import { Customer, readOrderPage, sessionIdOf } from '../support/customer.js';
import { allAttempts, allFulfillments, allOrders, dumpDatabase, theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { record, refundStates } from '../support/refunds.js';
import { openSharedShop } from '../support/shared-shop.js';
import { attemptStates, orderStates, receivePaymentWebhook } from './support.js';

const shop = await openSharedShop();

const LATER_MS = 5_000;
const OTHER_AMOUNT: Fault = { kind: 'rewrite', set: { amount_total: 1 } };

/** Reads the order under review and decides it, as an admin user does. */
async function decide(decision: AdminDecision, more: Partial<DecisionRequest> = {}) {
  const { id, version } = await orderInReview();
  const request = { orderId: id, version, decision, by: 'ana', note: '', ...more };
  const result = await decideOrder(shop.context.checkout, request);
  return { result, order: (await allOrders(shop)).find((order) => order.id === id) };
}

async function orderInReview() {
  const orders = await allOrders(shop);
  const order = orders.find(
    ({ reviewReason, state }) => reviewReason !== null || state === 'outcome_unknown',
  );
  if (!order) throw new Error('no order is under review');
  return order;
}

async function history() {
  const { queries } = shop.context.checkout.db;
  const rows = await queries
    .selectFrom('orderEvents')
    .select('detail')
    .where('kind', '=', 'decided')
    .orderBy('id')
    .execute();
  return rows.map(({ detail }) => JSON.parse(detail) as object);
}

/** Pays a hosted page whose lookup names another amount. */
async function openMismatch() {
  const checkout = await openHostedPage(shop);
  shop.simulator.control.paySession(checkout.session);
  shop.simulator.control.fault('read-session', OTHER_AMOUNT);
  await checkout.customer.get(checkout.returnPath);
  return checkout;
}

/** Sends a card payment and loses its answer, before or after the charge. */
async function loseCardAnswer(when: 'before' | 'after', card?: string) {
  const customer = await Customer.withCart(shop);
  shop.simulator.control.fault('process', { kind: 'drop', when }, 1);
  await payByCard(shop, customer, card);
  return customer;
}

/** Records that the payment of this attempt was returned in the gateway's dashboard. */
async function recordRefundOf(orderId: string) {
  const attempt = (await allAttempts(shop)).find((each) => each.orderId === orderId);
  if (!attempt) throw new Error('the order has no attempt');
  return record(shop, attempt);
}

const firstPaymentId = () => shop.simulator.control.payments()[0]?.id ?? '';

test('an order in review stays so until the merchant confirms it and a lookup matches, and is then paid once', async () => {
  await openMismatch();
  const before = await orderInReview();
  const differing = await decide('confirm');
  shop.simulator.control.clearFaults();
  shop.simulator.control.fault('read-session', { kind: 'status', status: 500 });
  const failing = await decide('confirm');
  const unpaid = await allFulfillments(shop);
  shop.simulator.control.clearFaults();

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

test('a lost card payment is paid when the merchant confirms its id and the gateway answers', async () => {
  await loseCardAnswer('after');
  const gatewayId = firstPaymentId();
  shop.simulator.control.fault('read-transaction', { kind: 'status', status: 503 });

  const first = await decide('confirm', { gatewayId });
  shop.simulator.control.clearFaults();
  const second = await decide('confirm', { gatewayId });

  expect(first).toMatchObject({ result: 'unreachable', order: { state: 'outcome_unknown' } });
  expect(second).toMatchObject({ result: 'done', order: { state: 'paid' } });
  expect(await allFulfillments(shop)).toHaveLength(1);
});

test('a lost card payment is not confirmed with the id of another payment or of none', async () => {
  await payByCard(shop, await Customer.withCart(shop));
  const foreign = firstPaymentId();
  await loseCardAnswer('after');

  for (const gatewayId of [foreign, '00000000-0000-4000-8000-000000000000']) {
    const outcome = await decide('confirm', { gatewayId });
    expect(outcome).toMatchObject({ result: 'not_confirmed', order: { state: 'outcome_unknown' } });
  }
  expect(await allFulfillments(shop)).toHaveLength(1);
});

test('a refunded mismatch is a cancelled order that says so, and later lookups change nothing', async () => {
  const { customer, returnPath, orderPath } = await openMismatch();

  const outcome = await recordRefundOf((await orderInReview()).id);
  shop.simulator.control.clearFaults();
  shop.clock.advance(LATER_MS);
  await customer.get(returnPath);
  const page = await customer.get(orderPath);

  expect(outcome).toMatchObject({ kind: 'done', order: { state: 'cancelled', reviewReason: null } });
  expect(await allAttempts(shop)).toMatchObject([{ state: 'refunded', confirmedAmount: 1 }]);
  expect(readOrderPage(page.text).state).toBe('cancelled');
  expect(page.text).toContain('Te devolvimos el pago');
  expect(page.text).not.toContain('No se te cobró');
  expect([await allFulfillments(shop), await refundStates(shop)]).toEqual([[], ['recorded']]);
});

test('an order stays in review after a refund while another attempt of it has an unknown outcome', async () => {
  const { control } = shop.simulator;
  const { customer, session, returnPath } = await openHostedPage(shop);
  control.fault('process', { kind: 'drop', when: 'after' }, 1);
  await payByCard(shop, customer);
  control.paySession(session);
  control.fault('read-session', OTHER_AMOUNT);
  shop.clock.advance(LATER_MS);
  await customer.get(returnPath);

  const before = await attemptStates(shop);
  await recordRefundOf((await theOrder(shop)).id);

  expect([before, await attemptStates(shop)]).toEqual([
    ['review', 'unknown'],
    ['refunded', 'unknown'],
  ]);
  expect(await theOrder(shop)).toMatchObject({ state: 'review', reviewReason: 'other_amount' });
});

test('a refunded second payment is a cancelled order, and the first order stays paid', async () => {
  const { customer, session } = await openHostedPage(shop);
  shop.clock.advance(LATER_MS);
  await customer.add({ product_id: 'alebrije-jaguar' });
  const second = sessionIdOf((await customer.payHosted()).headers['location']);
  for (const id of [second, session]) {
    shop.simulator.control.paySession(id);
    shop.clock.advance(LATER_MS);
    for (const { token } of await allOrders(shop)) await customer.get(`/orders/${token}`);
  }
  const { id, reviewReason } = await orderInReview();

  await recordRefundOf(id);

  expect(reviewReason).toBe('second_payment');
  expect((await orderStates(shop)).sort()).toEqual(['cancelled', 'paid']);
  expect((await attemptStates(shop)).sort()).toEqual(['paid', 'refunded']);
  expect(await allFulfillments(shop)).toHaveLength(1);
});

test('after the merchant closes a card payment that never arrived, the customer pays again', async () => {
  const customer = await loseCardAnswer('before');

  const outcome = await decide('close');
  await payByCard(shop, customer);

  expect(outcome).toMatchObject({ result: 'done', order: { state: 'cancelled' } });
  expect((await theOrder(shop)).state).toBe('paid');
  expect(shop.simulator.control.ledger()).toHaveLength(1);
});

test('a closed card payment that was charged is paid when a webhook names it', async () => {
  await loseCardAnswer('after');

  await decide('close');
  await receivePaymentWebhook(shop);

  expect((await theOrder(shop)).state).toBe('paid');
  expect(await allFulfillments(shop)).toHaveLength(1);
});

test('a webhook about a closed payment does not end the unknown outcome of the next one', async () => {
  const { control } = shop.simulator;
  const customer = await loseCardAnswer('after', CARDS.challenged);
  await decide('close');
  control.fault('process', { kind: 'drop', when: 'before' }, 1);
  await payByCard(shop, customer);
  control.refuse(firstPaymentId());

  await receivePaymentWebhook(shop);

  expect(await attemptStates(shop)).toEqual(['declined', 'unknown']);
  expect((await theOrder(shop)).state).toBe('outcome_unknown');
});

test('the decisions close and refund about a payment that the gateway confirmed are refused and change nothing', async () => {
  await openMismatch();
  const before = await dumpDatabase(shop);

  const results = [await decide('close'), await decide('refund')].map(({ result }) => result);
  expect(results).toEqual(['not_open', 'not_open']);
  expect(await dumpDatabase(shop)).toBe(before);
});

test('the same decision of two admin users about an unconfirmed payment is applied once, and one about an older version never', async () => {
  await loseCardAnswer('after');

  const { id: orderId, version } = await orderInReview();
  const outdated = await decide('refund', { version: version - 1 });
  const unchanged = await theOrder(shop);
  const request = { orderId, version, decision: 'refund', by: 'ana', note: '' } as const;
  const outcomes = await Promise.all([1, 2].map(() => decideOrder(shop.context.checkout, request)));

  expect([outdated.result, unchanged.state]).toEqual(['changed', 'outcome_unknown']);
  expect(outcomes.sort()).toEqual(['changed', 'done']);
  expect([await orderStates(shop), await attemptStates(shop)]).toEqual([['cancelled'], ['refunded']]);
  expect(await history()).toHaveLength(1);
});

test('a cart submitted again after the merchant cancelled its order places a new order, and a late payment of both is a second payment', async () => {
  const { checkout } = shop.context;
  const page = await openHostedPage(shop);
  const { id: orderId, version } = await theOrder(shop);

  const outcome = await cancelOrder(checkout, { orderId, version, by: 'ana' });
  const redirect = await page.customer.payHosted();
  const [cancelled, placed] = await allOrders(shop);

  expect([outcome, redirect.status]).toEqual(['cancelled', 302]);
  expect(cancelled).toMatchObject({ id: orderId, state: 'cancelled', supersededBy: placed?.id });
  expect(placed).toMatchObject({ state: 'pending' });
  for (const session of [sessionIdOf(redirect.headers['location']), page.session])
    shop.simulator.control.paySession(session);
  shop.clock.advance(LATER_MS);
  await page.customer.get(`/checkout/return/${placed?.token}`);
  await page.customer.get(page.returnPath);
  const after = await allOrders(shop);
  expect(after.map(({ state, reviewReason }) => [state, reviewReason])).toEqual([
    ['review', 'second_payment'],
    ['paid', null],
  ]);
});

test('the merchant cancels a declined order that a newer one replaced: the customer keeps the open page of the newer', async () => {
  const { checkout } = shop.context;
  const customer = await Customer.withCart(shop);
  await payByCard(shop, customer, CARDS.declined);
  await customer.add();
  const open = await customer.payHosted();
  const [declined] = await allOrders(shop);
  if (!declined) throw new Error('no order');

  const { id: orderId, version } = declined;
  const outcome = await cancelOrder(checkout, { orderId, version, by: 'ana' });
  const again = await customer.payHosted();

  expect([declined.state, outcome]).toEqual(['declined', 'cancelled']);
  expect(again.headers['location']).toBe(open.headers['location']);
  expect(await allOrders(shop)).toHaveLength(2);
});
