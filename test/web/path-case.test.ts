import { expect, test } from '@jest/globals';
import { openBackOffice, PASSWORD } from '../support/admin.js';
import { Customer, contact } from '../support/customer.js';
import { dumpDatabase } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

const GET_PATHS = [
  ...['/Admin', '/ADMIN/orders', '/Admin/sign-in', '/ADMIN/orders.csv', '/aDmin/'],
  ...['/Cart', '/CHECKOUT', '/Checkout/card', '/checkout/Card', '/Orders', '/Metrics', '/HEALTHZ', '/Readyz'],
];
const POST_PATHS = [
  ...['/Admin/sign-in', '/ADMIN/sign-out', '/Cart/items', '/CHECKOUT/hosted', '/checkout/Hosted'],
  ...['/Checkout/card', '/Checkout/card/access-token', '/ORDERS', '/Language', '/Webhooks/payments'],
];

test('a path in another case than the shop’s own is not found, with and without a session', async () => {
  await using shop = await openTestShop({ env: { ADMIN_PASSWORD: PASSWORD } });
  const { customer, returnPath, orderPath } = await openHostedPage(shop);
  const merchant = await openBackOffice(shop);
  const upper = (path: string) => path.replace(/^\/\w+/, (prefix) => prefix.toUpperCase());
  const gets = [...GET_PATHS, upper(returnPath), upper(orderPath), `${upper(orderPath)}/status`];
  const form = { ...contact, name: 'admin', password: PASSWORD };
  const before = await dumpDatabase(shop);

  for (const client of [new Customer(shop), customer, merchant]) {
    for (const path of gets) expect([path, (await client.get(path)).status]).toEqual([path, 404]);
    for (const path of POST_PATHS)
      expect([path, (await client.post(path, form)).status]).toEqual([path, 404]);
  }
  expect(await dumpDatabase(shop)).toBe(before);
});
