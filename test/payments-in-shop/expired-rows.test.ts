import { expect, test } from '@jest/globals';
import { deleteExpiredRows } from '@tianguis/payments/database';
import { EXPIRING_PAYMENT_ROWS } from '../../packages/payments/src/store/expiring-rows.js';
import { deleteExpiredShopRows } from '../../src/shop/delete-expired-rows.js';
import { recordSignIn } from '../../src/tables/admin-users.js';
import type { Schema } from '../../src/tables/schema.js';
import { DAY } from '../checkout/support.js';
import { Customer } from '../support/customer.js';
import { theOrder } from '../support/inspect.js';
import { payByCard } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';

const shop = await openSharedShop();
const { checkout, queries } = shop;

async function deleteAll(): Promise<void> {
  await deleteExpiredShopRows(checkout);
  await deleteExpiredRows(checkout.db, Object.values(EXPIRING_PAYMENT_ROWS), shop.clock.now());
}

async function count(table: keyof Schema): Promise<number> {
  return (await queries.selectFrom(table).selectAll().execute()).length;
}

test('carts, outbox jobs, sessions and sign-ins are deleted after their time and not before', async () => {
  await payByCard(shop, await Customer.withCart(shop));
  const at = shop.clock.now();
  await queries.updateTable('outbox').set({ doneAt: at }).execute();
  await recordSignIn(queries, { userId: null, at, result: 'unknown_name' });
  const sizes = () =>
    Promise.all((['carts', 'outbox', 'sessions', 'adminSignIns'] as const).map((name) => count(name)));
  const before = await sizes();

  const after: (readonly number[])[] = [];
  for (const days of [29, 2, 30, 30]) {
    shop.clock.advance(days * DAY);
    await deleteAll();
    after.push(await sizes());
  }

  expect(before).toEqual([1, 2, 2, 1]);
  expect(after).toEqual([
    [1, 2, 1, 1],
    [1, 2, 0, 1],
    [0, 2, 0, 1],
    [0, 0, 0, 0],
  ]);
  expect((await theOrder(shop)).state).toBe('paid');
});

test('a cart without an order that never changed again and its session live two days, others longer', async () => {
  const unchanged = await Customer.withCart(shop);
  const changed = await Customer.withCart(shop);
  await payByCard(shop, await Customer.withCart(shop));
  shop.clock.advance(1_000);
  await changed.add();
  const sizes = () => Promise.all((['carts', 'sessions'] as const).map((name) => count(name)));
  await deleteAll();
  const before = await sizes();

  shop.clock.advance(2 * DAY);
  await deleteAll();

  // One session is that which the order replaced.
  expect([before, await sizes()]).toEqual([
    [3, 4],
    [2, 2],
  ]);
  const texts = await Promise.all([unchanged, changed].map(async (client) => (await client.get('/cart')).text));
  expect(texts.map((text) => text.includes('id="quantity-taza-talavera"'))).toEqual([false, true]);
});
