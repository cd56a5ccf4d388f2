import { expect, test } from '@jest/globals';

import { paymentsOf, processOutbox } from '@tianguis/payments/testing';
import type { PaidOrder } from '../../src/shop/context.js';
import { openBackOffice } from '../support/admin.js';
import { changeCheckout } from '../support/change-checkout.js';
import { Customer, readOrderPage } from '../support/customer.js';
import { allOrders } from '../support/inspect.js';
import { receiveMails } from '../support/mailbox.js';
import { openPageOf, payAndReturn } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import {
  endReservations,
  LIMITED,
  leftOf,
  openLimitedPage,
  oversell,
  setStock,
  stockOf,
  takesOf,
} from '../support/stock.js';

const shop = await openSharedShop();
const { checkout } = shop;

const RESOLVED = { state: 'paid', reviewReason: null };

async function decide(orderId: string, decision: 'stock_arrived' | 'refund', context = checkout) {
  const order = (await allOrders(shop)).find(({ id }) => id === orderId);
  const version = order?.version ?? 0;
  return paymentsOf(context).decide({ orderId, version, decision, by: 'ana', note: '' });
}

test('late money takes the stock that other customers have not reserved, of all lines or of none', async () => {
  await setStock(shop, 2);
  await setStock(shop, 1, 'huipil-istmo');
  const one = await openLimitedPage(shop);
  const customer = await Customer.withCart(shop, { product_id: LIMITED });
  await customer.add({ product_id: 'huipil-istmo' });
  const both = await openPageOf(shop, customer);
  await endReservations(shop);
  await openPageOf(shop, await Customer.withCart(shop, { product_id: 'huipil-istmo' }));

  for (const page of [one, both]) await payAndReturn(shop, page);

  expect([await stockOf(shop), await stockOf(shop, 'huipil-istmo')]).toEqual([1, 1]);
  expect(await takesOf(shop)).toEqual([0, 1]);
  expect(await leftOf(shop, 'huipil-istmo')).toBe(0);
});

test('late money for a sold out product makes the order paid and oversold, as page, hook and receipt state', async () => {
  const late = await oversell(shop);

  const order = (await allOrders(shop)).find(({ id }) => id === late.orderId);
  const page = await late.customer.get(late.orderPath);
  const merchant = await openBackOffice(shop);
  const backOffice = await merchant.get(`/admin/orders/${order?.number}`);
  const paid: PaidOrder[] = [];
  const onPaid = (each: PaidOrder) => Promise.resolve(void paid.push(each));
  await processOutbox(changeCheckout(checkout, { onPaid }), ['on_paid']);
  const mails = await receiveMails(shop);

  expect(order).toMatchObject({ state: 'paid', reviewReason: 'oversold' });
  expect(paid.filter(({ stockTaken }) => !stockTaken).map((each) => each.order.id)).toEqual([late.orderId]);
  expect(mails.filter(({ text }) => text.includes('Estamos revisando las existencias'))).toHaveLength(1);
  for (const text of ['ya no hay existencia suficiente', 'Ya hay existencia']) expect(backOffice.text).toContain(text);
  expect([await stockOf(shop), await takesOf(shop)]).toEqual([0, [0, 1]]);
  expect(readOrderPage(page.text).state).toBe('paid');
  expect(page.text).toContain('estamos revisando las existencias');
  expect(page.text).not.toContain('en preparación');
  expect(shop.logged.join('')).toContain('order.oversold');
});

test('the decision that stock arrived takes it once, and changes nothing while there is not enough', async () => {
  const { orderId } = await oversell(shop);
  const before = await allOrders(shop);

  const refused = await decide(orderId, 'stock_arrived');
  const unchanged = await allOrders(shop);
  await setStock(shop, 3);
  const done = await decide(orderId, 'stock_arrived');
  const again = await decide(orderId, 'stock_arrived');

  expect([refused, unchanged]).toEqual(['goods_missing', before]);
  expect([done, again]).toEqual(['done', 'not_open']);
  expect((await allOrders(shop)).find(({ id }) => id === orderId)).toMatchObject(RESOLVED);
  expect([await stockOf(shop), await takesOf(shop)]).toEqual([2, [1, 1]]);
});

test('an oversold order whose refund was decided stays paid, and its page shows the refund', async () => {
  const { orderId, customer, orderPath } = await oversell(shop);

  await decide(orderId, 'refund', { ...checkout, config: { ...checkout.config, refunds: 'off' } });
  const page = await customer.get(orderPath);

  expect((await allOrders(shop)).find(({ id }) => id === orderId)).toMatchObject(RESOLVED);
  expect(page.text).toContain('Te devolvimos el pago');
  expect(page.text).not.toContain('en preparación');
  expect(await takesOf(shop)).toEqual([0, 1]);
});
