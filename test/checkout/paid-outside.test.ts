/** Payments past the gateway: the event inserts an attempt that paid the order. */
import { beforeEach, expect, test } from '@jest/globals';
import { applyTransition } from '../../src/payments/apply-transition.js';
import { processInbox } from '../../src/payments/process-inbox.js';
import { receiveWebhook } from '../../src/payments/receive-webhook.js';
import { findAttempts } from '../../src/payments/store/attempts.js';
import { lockOrder } from '../../src/payments/store/orders.js';
import { payableStateOf, viewOf } from '../../src/payments/view-payment.js';
import { openBackOffice } from '../support/admin.js';
import { Customer } from '../support/customer.js';
import { allAttempts, allFulfillments, theOrder } from '../support/inspect.js';
import { CARDS, payByCard } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import { LIMITED, openLimitedPage, setStock, stockOf } from '../support/stock.js';
import { attemptStates, reconcileAfter } from './support.js';

const shop = await openSharedShop();
const { checkout } = shop;

beforeEach(() => setStock(shop, 3));

/** Applies the event to the only order, as a use case does. */
async function payOutside() {
  const { id } = await theOrder(shop);
  return checkout.db.transaction(async (tx) => {
    await checkout.host.lockBefore(tx, [id]);
    const order = await lockOrder(tx, id);
    const event = { type: 'paid_outside' } as const;
    return applyTransition(tx, checkout, {
      ...{ order, attempt: undefined, event, trigger: 'merchant', at: shop.clock.now() },
    });
  });
}

async function openDeclinedOrder() {
  const customer = await Customer.withCart(shop, { product_id: LIMITED });
  await payByCard(shop, customer, CARDS.declined);
  return customer;
}

test('case 199: an order whose card was declined is paid outside once, by two managers at once', async () => {
  await openDeclinedOrder();

  const results = await Promise.all([payOutside(), payOutside()]);

  const order = await theOrder(shop);
  const [declined, outside] = await allAttempts(shop);
  const ids = results.map(({ attempt }) => attempt?.id);
  expect(ids.filter((id) => id !== undefined)).toEqual([outside?.id]);
  expect(await attemptStates(shop)).toEqual(['declined', 'paid']);
  expect(outside).toMatchObject({ flow: 'outside', gatewayId: null, confirmedAmount: order.total, live: null });
  expect(outside?.reference).not.toBe(declined?.reference);
  expect(order).toMatchObject({ state: 'paid', reviewReason: null, payableUntil: null, paidAttemptId: outside?.id });
  expect([(await allFulfillments(shop)).length, await stockOf(shop)]).toEqual([1, 2]);
});

test('an order without an attempt is paid outside', async () => {
  await openDeclinedOrder();
  await shop.queries.deleteFrom('attempts').execute();
  await shop.queries.updateTable('orders').set({ state: 'created' }).execute();

  await payOutside();

  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
  expect(await attemptStates(shop)).toEqual(['paid']);
});

test('case 199: an order with an open page is not paid outside, and neither is one whose page is watched', async () => {
  await openLimitedPage(shop);
  const open = await payOutside();
  shop.clock.advance(60 * 60_000);
  await reconcileAfter(shop, 60 * 60_000);
  const watched = await payOutside();

  expect([open.attempt, watched.attempt]).toEqual([undefined, undefined]);
  expect(await attemptStates(shop)).toEqual(['superseded']);
  expect(await theOrder(shop)).toMatchObject({ state: 'expired' });
});

/** Submits the form, and the gateway creates a session whose answer is lost. The customer gets no page. Returns the session. */
async function loseSession() {
  shop.control.fault('create-session', { kind: 'drop', when: 'after' }, 1);
  shop.control.fault('create-session', { kind: 'status', status: 422 }, 1);
  const customer = await Customer.withCart(shop, { product_id: LIMITED });
  await customer.payHosted();
  return shop.control.sessions()[0]?.id ?? '';
}

async function receiveWebhookOf(session: string) {
  await receiveWebhook(checkout, JSON.stringify({ data: { id: session } }));
  await processInbox(checkout);
}

test('case 199: a payment at the gateway that is found after the order was paid outside is a second payment', async () => {
  const session = await loseSession();
  await payOutside();
  shop.control.paySession(session);

  await receiveWebhookOf(session);

  const [, , outside] = await allAttempts(shop);
  expect(await theOrder(shop)).toMatchObject({
    state: 'paid',
    reviewReason: 'second_payment',
    paidAttemptId: outside?.id,
  });
  expect(outside).toMatchObject({ flow: 'outside', state: 'paid' });
  expect([(await allFulfillments(shop)).length, await stockOf(shop)]).toEqual([1, 2]);
});

test('case 199: an order is paid outside while the webhook of its payment arrives: one of them pays it, and no money is lost', async () => {
  const session = await loseSession();
  shop.control.paySession(session);

  await Promise.all([receiveWebhookOf(session), payOutside()]);

  const order = await theOrder(shop);
  const confirmed = (await allAttempts(shop)).filter(({ confirmedAmount }) => confirmedAmount !== null);
  const isSecond = confirmed.length === 2;
  expect(confirmed.map(({ id }) => id)).toContain(order.paidAttemptId);
  expect(order).toMatchObject({ state: 'paid', reviewReason: isSecond ? 'second_payment' : null });
  expect([(await allFulfillments(shop)).length, await stockOf(shop)]).toEqual([1, 2]);
});

test('an order that was paid outside without stock is oversold', async () => {
  await openDeclinedOrder();
  await setStock(shop, 0);

  await payOutside();

  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: 'oversold' });
});

test('the pages of an order that was paid outside show it, and no payment of it starts', async () => {
  const customer = await openDeclinedOrder();
  await payOutside();
  const order = await theOrder(shop);
  const merchant = await openBackOffice(shop);

  const pages = [
    await merchant.get(`/admin/orders/${order.number}`),
    await merchant.get('/admin/orders'),
    await customer.get(`/orders/${order.token}`),
  ];
  const started = await checkout.payments.startHosted(order.id, {});
  const view = await viewOf(checkout, order);

  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(pages[0]?.text).toContain('fuera de la pasarela');
  expect(started.kind).toBe('show_order');
  expect(view).toMatchObject({ safeToPayAgain: false, hasConfirmedPayment: true, lastFlow: 'card' });
  expect(await payableStateOf(shop.queries, order, shop.clock.now())).toBe('paid');
  expect(await findAttempts(shop.queries, order.id)).toHaveLength(2);
});
