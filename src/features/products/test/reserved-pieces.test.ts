import { expect, test } from '@jest/globals';
import { openBackOffice } from '../../../../test/support/admin.js';
import { Customer } from '../../../../test/support/customer.js';
import { allOrders } from '../../../../test/support/inspect.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { LIMITED, leftOf, setStock } from '../../../../test/support/stock.js';

const shop = await openSharedShop();

test('the merchant sees the reserved pieces with their orders, and releases them', async () => {
  await setStock(shop, 10);
  await (await Customer.withCart(shop, { product_id: LIMITED, quantity: '5' })).payHosted();
  const [order] = await allOrders(shop);
  const merchant = await openBackOffice(shop);
  const product = await merchant.get(`/admin/products/${LIMITED}`);

  const released = await merchant.post(`/admin/products/${LIMITED}/release`, {});
  const after = await merchant.get(`/admin/products/${LIMITED}?result=released`);

  expect(product.text).toContain(`>${order?.number}</a>: 5 piezas hasta`);
  expect([released.status, await leftOf(shop)]).toEqual([303, 10]);
  expect(after.text).toContain('Liberamos las piezas apartadas.');
  expect(after.text).toMatch(/Pedidos con piezas apartadas: <bdi>1<\/bdi> → <bdi>0<\/bdi>/);
  expect(after.text).not.toContain('data-test="admin-release"');
});
