/** Erasure and retention of orders with a phone number and without an e-mail address. */
import { expect, test } from '@jest/globals';
import { theOrder } from '../../../../test/support/inspect.js';
import { openHostedPage } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { eraseCustomer } from '../erase-customer.js';
import { lockOldOrders } from '../repository.js';

const shop = await openSharedShop();

async function placeByPhone() {
  await openHostedPage(shop);
  await shop.queries.updateTable('attempts').set({ live: null, state: 'expired' }).execute();
  await shop.queries.updateTable('orders').set({ email: '', phone: '5512345678', state: 'expired' }).execute();
  return theOrder(shop);
}

test('the data of an order with a phone number only is erased on request', async () => {
  const { id: orderId, version } = await placeByPhone();

  expect(await eraseCustomer(shop.checkout, { orderId, version, by: 'admin' })).toBe('erased');
  expect(await theOrder(shop)).toMatchObject({ firstName: '', phone: '' });
});

test('retention finds an order with a phone number only', async () => {
  const { id, createdAt } = await placeByPhone();

  const found = await shop.checkout.db.transaction((tx) => lockOldOrders(tx, { before: createdAt, limit: 5 }));

  expect(found).toEqual([id]);
});
