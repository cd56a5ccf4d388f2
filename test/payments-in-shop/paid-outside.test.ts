/** Payments past the gateway: the event inserts an attempt that paid the order. */
import { beforeEach, expect, test } from '@jest/globals';
import { findAttempts, payableStateOf } from '@tianguis/payments/back-office';
import { paymentsOf, processInbox, receiveWebhook } from '@tianguis/payments/testing';
import { dayOf } from '../../src/shop/rules/mexico-day.js';
import { attemptStates } from '../checkout/support.js';
import { openBackOffice } from '../support/admin.js';
import { changeCheckout } from '../support/change-checkout.js';
import { Customer } from '../support/customer.js';
import { allAttempts, allFulfillments, theOrder } from '../support/inspect.js';
import { CARDS, payByCard } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import { LIMITED, openLimitedPage, setStock, stockOf } from '../support/stock.js';

const shop = await openSharedShop();
const { checkout } = shop;

beforeEach(() => setStock(shop, 3));

const CASH = { method: '01', note: 'Pagó en el local', by: 'ana' };

/** Records the payment of the only order, as a manager does. */
async function payOutside() {
  const { id, version } = await theOrder(shop);
  const paidOn = dayOf(shop.clock.now());
  return checkout.payments.outside.record({ orderId: id, version, paidOn, ...CASH });
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
  expect(results.filter(({ kind }) => kind === 'recorded')).toHaveLength(1);
  expect(await attemptStates(shop)).toEqual(['declined', 'paid']);
  expect(outside).toMatchObject({ flow: 'outside', gatewayId: null, confirmedAmount: order.total, live: null });
  expect(outside).toMatchObject({ method: '01', note: 'Pagó en el local' });
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

test('case 199: an order is paid outside after its page closed and the gateway answered that nothing was paid', async () => {
  await openLimitedPage(shop);
  const { offerEndsAt = 0 } = (await allAttempts(shop))[0] ?? {};
  const open = await payOutside();
  shop.clock.advance(offerEndsAt + 120_001 - shop.clock.now());
  shop.control.fault('read-session', { kind: 'status', status: 503 }, 5);
  const unanswered = await payOutside();
  shop.control.clearFaults();
  const recorded = await payOutside();

  expect(open).toEqual({ kind: 'refused', why: { kind: 'open', until: offerEndsAt + 120_000 } });
  expect(unanswered).toEqual({ kind: 'refused', why: { kind: 'unanswered' } });
  expect(recorded).toEqual({ kind: 'recorded' });
  expect(await attemptStates(shop)).toEqual(['superseded', 'paid']);
});

test('case 199: the lookup before a payment outside finds that the customer paid at the gateway', async () => {
  const { session } = await openLimitedPage(shop);
  shop.control.paySession(session);
  const { offerEndsAt = 0 } = (await allAttempts(shop))[0] ?? {};
  shop.clock.advance(offerEndsAt + 120_001 - shop.clock.now());

  const result = await payOutside();

  expect(result).toEqual({ kind: 'refused', why: { kind: 'paid' } });
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
});

test('case 199: a card that waits at the bank is not paid outside before it counts as abandoned', async () => {
  const customer = await Customer.withCart(shop, { product_id: LIMITED });
  await payByCard(shop, customer, CARDS.challenged);
  const [{ createdAt = 0 } = {}] = await allAttempts(shop);
  const early = await payOutside();
  shop.clock.advance(8.5 * 60_000 + 1);
  const recorded = await payOutside();

  expect(early).toEqual({ kind: 'refused', why: { kind: 'open', until: createdAt + 8.5 * 60_000 } });
  expect(recorded).toEqual({ kind: 'recorded' });
  expect(await attemptStates(shop)).toEqual(['open', 'paid']);
});

test('case 199: an order that changes after its lookups is not recorded, and the manager sees the changed order', async () => {
  await openDeclinedOrder();
  const { id, version } = await theOrder(shop);
  const changed = changeCheckout(
    checkout,
    {},
    {
      async lockBefore(tx, orderIds) {
        await checkout.host.lockBefore(tx, orderIds);
        await tx
          .updateTable('orders')
          .set((eb) => ({ version: eb('version', '+', 1) }))
          .execute();
      },
    },
  );

  const paidOn = dayOf(shop.clock.now());
  const result = await paymentsOf(changed).outside.record({ orderId: id, version, paidOn, ...CASH });

  expect(result).toEqual({ kind: 'changed' });
  expect(await attemptStates(shop)).toEqual(['declined']);
});

test('case 199: a form of an earlier version of the order is refused before any lookup', async () => {
  await openLimitedPage(shop);
  const { id, version } = await theOrder(shop);
  const { offerEndsAt = 0 } = (await allAttempts(shop))[0] ?? {};
  shop.clock.advance(offerEndsAt + 120_001 - shop.clock.now());
  const before = shop.control.calls().length;

  const paidOn = dayOf(shop.clock.now());
  const result = await checkout.payments.outside.record({ orderId: id, version: version - 1, paidOn, ...CASH });

  expect([result, shop.control.calls().length]).toEqual([{ kind: 'changed' }, before]);
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
  const view = await checkout.payments.viewOf(order);

  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(pages[0]?.text).toContain('fuera de la pasarela');
  expect(started.kind).toBe('show_order');
  expect(view).toMatchObject({ safeToPayAgain: false, hasConfirmedPayment: true, lastFlow: 'card' });
  expect(await payableStateOf(shop.queries, order, shop.clock.now())).toBe('paid');
  expect(await findAttempts(shop.queries, order.id)).toHaveLength(2);
});
