import { expect, test } from '@jest/globals';
import { isPostgres } from '@tianguis/payments/database';
import { updateSuccessor } from '@tianguis/payments/testing';
import { cartIdOf, countLockWaits, DAY, interleave, isLockAwaited } from '../../../../test/checkout/support.js';
import { until } from '../../../../test/support/crowd.js';
import { allOrders } from '../../../../test/support/inspect.js';
import { openHostedPage, openPageOf } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { deleteExpiredShopRows } from '../../../shop/delete-expired-rows.js';
import { lockCart } from '../../../tables/carts.js';
import { lockOrder } from '../../../tables/orders.js';
import { eraseCustomer } from '../erase-customer.js';

const shop = await openSharedShop();
const { checkout } = shop;

test('the erasure of a customer and the placement of a third order of the same cart cause no deadlock', async () => {
  const { customer } = await openHostedPage(shop);
  await customer.add();
  await openPageOf(shop, customer);
  const [first, second] = await allOrders(shop);
  if (!first || !second) throw new Error('no second order');
  const cartId = await cartIdOf(shop);

  const result = await interleave(
    shop,
    async (queries) => {
      await lockCart(queries, cartId);
      await lockOrder(queries, second.id);
    },
    () => eraseCustomer(checkout, { orderId: second.id, version: second.version, by: 'ana' }),
    (queries) => updateSuccessor(queries, second.id, 'third'),
  );

  expect(result).toBe('erased');
  expect((await allOrders(shop))[0]).toMatchObject({ supersededBy: 'third' });
});

test('the expiry of two carts and the erasure of their customer cause no deadlock', async () => {
  await openHostedPage(shop);
  await openHostedPage(shop);
  const [first, second] = await allOrders(shop);
  if (!first || !second) throw new Error('no second order');
  const changeLast = async (id: string, updatedAt: number) => {
    await shop.queries.updateTable('carts').set({ updatedAt }).where('id', '=', id).execute();
  };
  // The cart with the higher id is the older one.
  await changeLast(second.cartId, 1);
  await changeLast(first.cartId, 2);
  shop.clock.advance(61 * DAY);

  await using other = await shop.connect();
  const running = await other.transaction(async (queries) => {
    await lockCart(queries, first.cartId);
    const erasure = eraseCustomer(checkout, { orderId: first.id, version: first.version, by: 'ana' });
    if (isPostgres(queries)) await until(() => isLockAwaited(shop));
    const expiry = deleteExpiredShopRows(checkout);
    if (isPostgres(queries)) await until(async () => (await countLockWaits(shop)) === 2);
    return { ended: Promise.allSettled([erasure, expiry]) };
  });

  expect(await running.ended).toEqual(Array(2).fill(expect.objectContaining({ status: 'fulfilled' })));
  expect(await shop.queries.selectFrom('carts').selectAll().execute()).toEqual([]);
});
