import { expect, test } from '@jest/globals';

import { paymentsOf } from '@tianguis/payments/testing';
import { Customer } from '../support/customer.js';
import { allOrders } from '../support/inspect.js';
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
