/** Payments past the gateway: the event inserts an attempt that paid the order. */
import { beforeEach, expect, test } from '@jest/globals';
import { applyTransition } from '../../src/payments/apply-transition.js';
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

test('an order whose card was declined is paid outside once, by two managers at once', async () => {
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

test('an order with an open page is not paid outside, and neither is one whose page is watched', async () => {
  await openLimitedPage(shop);
  const open = await payOutside();
  shop.clock.advance(60 * 60_000);
  await reconcileAfter(shop, 60 * 60_000);
  const watched = await payOutside();

  expect([open.attempt, watched.attempt]).toEqual([undefined, undefined]);
  expect(await attemptStates(shop)).toEqual(['superseded']);
  expect(await theOrder(shop)).toMatchObject({ state: 'expired' });
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
