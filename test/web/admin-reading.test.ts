import { expect, test } from '@jest/globals';
import { addUser, openBackOffice, ROLES } from '../support/admin.js';
import type { Customer } from '../support/customer.js';
import { placePaidOrder } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop();
for (const role of ROLES) await addUser(shop, `${role}-user`, role);
const { order, customer, orderPath } = await placePaidOrder(shop);
const path = `/admin/orders/${order.number}`;

const clientOf = (role: (typeof ROLES)[number]) => openBackOffice(shop, `${role}-user`);

/** Returns the log lines that a request adds. */
async function linesOf(client: Customer, requested: string): Promise<readonly Record<string, unknown>[]> {
  shop.logged.length = 0;
  await client.get(requested);
  return shop.logged.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('an opened order page is logged with the user and the order', async () => {
  const lines = await linesOf(await clientOf('viewer'), path);

  expect(lines).toMatchObject([
    { msg: 'request.completed', route: '/admin/orders/:number', user: 'viewer-user', order: order.number, status: 200 },
  ]);
});

test('a request outside of the back office is logged without a user', async () => {
  const [line] = await linesOf(customer, orderPath);

  expect(line).not.toHaveProperty('user');
});
