import { expect, test } from '@jest/globals';
import { applyRetention } from '../../src/checkout/apply-retention.js';
import { recordSignIn } from '../../src/db/admin-users.js';
import { findHistory, recordEvent } from '../../src/db/history.js';
import { findOrder, insertOrder } from '../../src/db/orders.js';
import type { OrdersTable, Schema } from '../../src/db/schema.js';
import { Customer, NO_ADDRESS } from '../support/customer.js';
import { theOrder } from '../support/inspect.js';
import { payByCard } from '../support/purchase.js';
import { LINE, orderRow } from '../support/rows.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';
import { DAY } from './support.js';

const queriesOf = (shop: TestShop) => shop.context.checkout.db.queries;

async function count(shop: TestShop, table: keyof Schema): Promise<number> {
  return (await queriesOf(shop).selectFrom(table).selectAll().execute()).length;
}

async function storeOrder(shop: TestShop, change: Partial<OrdersTable>): Promise<string> {
  const order = orderRow(change);
  await insertOrder(queriesOf(shop), order, [LINE]);
  return order.id;
}

test('carts, outbox jobs, sessions and sign-ins are deleted after their time and not before', async () => {
  await using shop = await openTestShop();
  const { checkout } = shop.context;
  await payByCard(shop, await Customer.withCart(shop));
  const at = shop.clock.now();
  await checkout.db.queries.updateTable('outbox').set({ doneAt: at }).execute();
  await recordSignIn(checkout.db.queries, { userId: null, at, result: 'unknown_name' });
  const sizes = () =>
    Promise.all((['carts', 'outbox', 'sessions', 'adminSignIns'] as const).map((name) => count(shop, name)));
  const before = await sizes();

  const after: (readonly number[])[] = [];
  for (const days of [29, 2, 30, 30]) {
    shop.clock.advance(days * DAY);
    await applyRetention(checkout);
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

test('personal data of an order is not erased without a retention setting', async () => {
  await using shop = await openTestShop();
  const id = await storeOrder(shop, { state: 'paid', createdAt: 1 });

  await applyRetention(shop.context.checkout);

  expect((await findOrder(queriesOf(shop), id))?.email).toBe('eva@example.com');
});

test('personal data of a final order is erased after the retention time, and its total is not', async () => {
  await using shop = await openTestShop({ env: { PII_RETENTION_DAYS: '30' } });
  const now = shop.clock.now();
  const home = { street: 'Calle 1', postalCode: '68000', phone: '9515550101', contactHash: 'x' };
  const old = await storeOrder(shop, { ...home, state: 'paid', createdAt: now - 31 * DAY });
  const recent = await storeOrder(shop, { state: 'paid', createdAt: now - 29 * DAY });
  await recordEvent(queriesOf(shop), { orderId: old, at: 1, kind: 'placed', detail: { total: 100 } });

  await applyRetention(shop.context.checkout);

  const names = { firstName: '', lastName: '', searchName: '', searchSurname: '' };
  const erased = { ...names, ...NO_ADDRESS, email: '', contactHash: '', total: 100 };
  expect(await findOrder(queriesOf(shop), old)).toMatchObject(erased);
  expect(await findOrder(queriesOf(shop), recent)).toMatchObject({ firstName: 'Eva' });
  const kinds = (await findHistory(queriesOf(shop), old)).map(({ kind }) => kind);
  expect(kinds).toEqual(['placed', 'personal_data_erased']);
});

test.each<Partial<OrdersTable>>([
  { state: 'pending' },
  { state: 'outcome_unknown' },
  { state: 'review', reviewReason: 'other_amount' },
  { state: 'paid', reviewReason: 'second_payment' },
])('personal data of an order with %j is not erased', async (change) => {
  await using shop = await openTestShop({ env: { PII_RETENTION_DAYS: '30' } });
  const id = await storeOrder(shop, { ...change, createdAt: 1 });

  await applyRetention(shop.context.checkout);

  expect((await findOrder(queriesOf(shop), id))?.email).toBe('eva@example.com');
});
