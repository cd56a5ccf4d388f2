import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { fullHostOf } from '@tianguis/payments/testing';
import { attemptStates, DAY, MINUTE, openTwoPages, orderStates, reconcileAfter } from '../checkout/support.js';
import { MUG } from '../support/catalog.js';
import { until } from '../support/crowd.js';
import { Customer, mugOrder, readOrderPage } from '../support/customer.js';
import { allOrders, cartContents } from '../support/inspect.js';
import { CARDS, openHostedPage, openPageOf, payAndReturn, payByCard } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';

const shop = await openSharedShop();

const reviews = async () => (await allOrders(shop)).map(({ state, reviewReason }) => [state, reviewReason]);

test('a cart that changes during payment becomes a new order, and the first hosted page is not offered again', async () => {
  const [first, second] = await openTwoPages(shop);
  const again = await openPageOf(shop, first.customer);
  const page = await first.customer.get(first.orderPath);

  expect(first.session).not.toBe(second.session);
  expect(again).toEqual(second);
  expect(await orderStates(shop)).toEqual(['cancelled', 'pending']);
  expect(await attemptStates(shop)).toEqual(['superseded', 'open']);
  expect(readOrderPage(page.text)).toMatchObject({ state: 'cancelled', detail: true });
  expect(page.text).not.toContain(first.session);
  expect(page.text).not.toContain('Alebrije');
});

test('when both pages are paid at once and the host locks nothing first, one of them is under review', async () => {
  const pages = await openTwoPages(shop);
  for (const { session } of pages) shop.control.paySession(session);
  const { host } = shop.checkout;
  const { lockBefore } = host;
  Object.assign(host, { lockBefore: fullHostOf({ describe: host.describe, orderPath: host.orderPath }).lockBefore });

  const orders = await allOrders(shop);
  await Promise.all(orders.map(({ id }) => shop.checkout.payments.verify(id, 'return'))).finally(() =>
    Object.assign(host, { lockBefore }),
  );

  const one = ['paid', null];
  const other = ['review', 'second_payment'];
  expect(await reviews()).toEqual(expect.arrayContaining([one, other]));
});

test('payments of the first and the third of three orders leave the first under review', async () => {
  const [first] = await openTwoPages(shop);
  await first.customer.add({ product_id: 'jarra-barro-negro' });
  const third = await openPageOf(shop, first.customer);

  for (const page of [third, first]) await payAndReturn(shop, page);

  expect(await orderStates(shop)).toEqual(['review', 'cancelled', 'paid']);
});

test('products and quantities added during payment stay in the cart, and a quantity reduced below the paid one is removed', async () => {
  const customer = await Customer.withCart(shop, { quantity: '2' });
  await customer.add({ product_id: 'rebozo-santa-maria', quantity: '3' });
  const page = await openPageOf(shop, customer);
  await customer.add({ quantity: '3' });
  await customer.add({ product_id: 'jarra-barro-negro' });
  await customer.post('/cart/items/rebozo-santa-maria', { quantity: '1' });

  await payAndReturn(shop, page);

  expect(await cartContents(shop)).toEqual({ 'taza-talavera': 3, 'jarra-barro-negro': 1 });
});

test('a replaced order whose process died at the session call is not shown as a payment that may still arrive', async () => {
  const customer = await Customer.withCart(shop);
  shop.control.fault('create-session', { kind: 'hold' }, 1);
  const submitted = customer.payHosted();
  await until(() => shop.control.calls('create-session').length === 1);
  await customer.add({ product_id: 'jarra-barro-negro' });
  await openPageOf(shop, customer);
  const before = await attemptStates(shop);

  await reconcileAfter(shop, MINUTE);
  const [replaced] = await allOrders(shop);
  const { body } = await customer.get(`/orders/${replaced?.token}/status`);
  const lapsed = await attemptStates(shop);
  shop.control.release();
  await submitted;

  expect([before, lapsed]).toEqual([
    ['superseded', 'open'],
    ['failed', 'open'],
  ]);
  expect(body).toMatchObject({ state: 'cancelled', safe_to_pay_again: true });
  expect(await attemptStates(shop)).toEqual(['superseded', 'open']);
});

test('after 7 days a declined order cannot be paid any more, and its cart gets a new order', async () => {
  const customer = await Customer.withCart(shop);
  await payByCard(shop, customer, CARDS.declined);
  shop.clock.advance(7 * DAY);
  await payByCard(shop, customer);

  expect(await orderStates(shop)).toEqual(['declined', 'paid']);
});

test('an earlier order of the cart is shown, and not replaced, while its lookup fails', async () => {
  const { customer, orderPath } = await openHostedPage(shop);
  await customer.add({ product_id: 'jarra-barro-negro' });
  shop.control.fault('read-session', { kind: 'status', status: 500 });

  const answer = await customer.payHosted();

  expect([answer.status, answer.headers['location']]).toEqual([303, orderPath]);
  expect(await reviews()).toEqual([['pending', null]]);
  expect(await cartContents(shop)).toEqual({ 'taza-talavera': 1, 'jarra-barro-negro': 1 });
});

test('a changed price opens no second page when the lookup finds the first one paid', async () => {
  const { customer, session } = await openHostedPage(shop);
  const seenPrice = centavos(1);
  await shop.queries.updateTable('cartLines').set({ seenPrice }).execute();
  shop.control.paySession(session);
  shop.clock.advance(5_000);

  await customer.payHosted(mugOrder);

  expect(await reviews()).toEqual([['paid', null]]);
  expect(shop.control.sessions()).toHaveLength(1);
});

test('a changed IVA rate becomes a new order with this rate, at the same total', async () => {
  const { customer } = await openHostedPage(shop);
  const { taxRate } = await shop.queries
    .selectFrom('products')
    .select('taxRate')
    .where('id', '=', MUG)
    .executeTakeFirstOrThrow();
  const setRate = (rate: typeof taxRate) =>
    shop.queries.updateTable('products').set({ taxRate: rate }).where('id', '=', MUG).execute();
  await setRate('8');

  await customer.payHosted(mugOrder);
  await setRate(taxRate);

  expect(await reviews()).toEqual([
    ['cancelled', null],
    ['pending', null],
  ]);
  const rates = shop.queries.selectFrom('orderLines').select('taxRate').where('productId', '=', MUG).orderBy('orderId');
  expect((await rates.execute()).map((line) => line.taxRate)).toEqual([taxRate, '8']);
});

test('beside an order in review the customer buys other products, and the cart names those of the order', async () => {
  const first = await openHostedPage(shop);
  const { queries } = shop;
  await queries.updateTable('attempts').set({ state: 'review', live: null }).execute();
  await queries.updateTable('orders').set({ state: 'review', reviewReason: 'unclear_status' }).execute();
  const { customer } = first;
  await customer.add({ product_id: 'alebrije-jaguar' });

  const both = await customer.payHosted();
  await customer.post('/cart/items/taza-talavera', { quantity: '0' });
  const other = await openPageOf(shop, customer);
  await customer.add();
  const again = await customer.payHosted();

  const named = 'Un pago anterior de Taza de talavera azul sigue en revisión. Quita esos productos';
  for (const answer of [both, again]) expect([answer.status, answer.text.includes(named)]).toEqual([409, true]);
  await payAndReturn(shop, other);
  expect(await reviews()).toEqual([
    ['review', 'unclear_status'],
    ['paid', null],
  ]);
  expect((await allOrders(shop)).map(({ supersededBy }) => supersededBy)).toEqual([null, null]);
});

test('no other payment starts for a cart whose replaced order is in review', async () => {
  const [first, second] = await openTwoPages(shop);
  const { queries } = shop;
  await queries.updateTable('attempts').set({ state: 'review' }).where('orderId', '=', first.orderId).execute();
  const review = { state: 'review', reviewReason: 'unclear_status' } as const;
  await queries.updateTable('orders').set(review).where('id', '=', first.orderId).execute();
  shop.control.cancelSession(second.session);
  await second.customer.get(second.orderPath);

  const answer = await second.customer.payHosted();

  expect([answer.status, answer.headers['location']]).toEqual([303, first.orderPath]);
  expect(await orderStates(shop)).toEqual(['review', 'cancelled']);
});
