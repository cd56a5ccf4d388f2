import { expect, test } from '@jest/globals';
import { openBackOffice } from '../../../../test/support/admin.js';
import { Customer } from '../../../../test/support/customer.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { LIMITED, setStock } from '../../../../test/support/stock.js';
import { openTestShop } from '../../../../test/support/test-shop.js';

const shop = await openSharedShop();

test('the overview names a product whose stock is half set aside for unpaid orders', async () => {
  await setStock(shop, 10);
  await (await Customer.withCart(shop, { product_id: LIMITED, quantity: '5' })).payHosted();

  const overview = await (await openBackOffice(shop)).get('/admin');

  expect(overview.text).toContain('Guitarra clásica de Paracho: 5 de 10');
});

test('the overview names a product that is sold out or has few pieces, and no longer after its stock arrived', async () => {
  const merchant = await openBackOffice(shop);
  await setStock(shop, 0);
  const soldOut = await merchant.get('/admin');
  await setStock(shop, 5);
  const low = await merchant.get('/admin');
  await setStock(shop, 6);

  const arrived = await merchant.get('/admin');

  const link = `href="/admin/products/${LIMITED}"`;
  expect([soldOut, low, arrived].map(({ text }) => text.includes(link))).toEqual([true, true, false]);
  expect(soldOut.text).toContain('Productos agotados');
  expect(low.text).toContain('Productos con pocas piezas');
});

test('the overview of a shop without a product on sale leads to the products', async () => {
  await using empty = await openTestShop();
  const client = await openBackOffice(empty);
  const before = await client.get('/admin');
  await empty.queries.updateTable('products').set({ visible: 0 }).execute();

  const after = await client.get('/admin');

  const link = 'href="/admin/products">Agregar productos</a>';
  expect([before.text, after.text].map((html) => html.includes(link))).toEqual([false, true]);
});
