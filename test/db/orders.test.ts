import { expect, test } from '@jest/globals';
import { insertFulfillment } from '../../src/db/fulfillments.js';
import { findOrder, insertOrder, isPaidElsewhere, lockOrder, moveOrder } from '../../src/db/orders.js';
import { PAID_JOBS, queueJobs } from '../../src/db/outbox.js';
import { ORDER_STATES } from '../../src/domain/order.js';
import { LINE, orderRow } from '../support/rows.js';
import { openTestDatabase } from '../support/test-database.js';

test.each([['cartId', 'cartVersion'], ['number'], ['token']] as const)(
  'a second order with the same %s is refused with its lines',
  async (...members) => {
    await using database = await openTestDatabase();
    const { queries } = database.db;
    const first = orderRow();
    await insertOrder(queries, first, [LINE]);
    const same = Object.fromEntries(members.map((member) => [member, first[member]]));

    const second = database.db.transaction((inside) => insertOrder(inside, orderRow(same), [LINE]));

    await expect(second).rejects.toThrow(/unique/i);
    expect(await queries.selectFrom('orderLines').selectAll().execute()).toHaveLength(1);
  },
);

test('a paid order cannot be moved to any state', async () => {
  await using database = await openTestDatabase();
  const { queries } = database.db;
  const order = orderRow({ state: 'paid' });
  await insertOrder(queries, order, [LINE]);

  for (const to of ORDER_STATES)
    await expect(moveOrder(queries, order, { to, at: 2 })).rejects.toThrow('paid');

  expect(await findOrder(queries, order.id)).toMatchObject(order);
});

test('an order cannot be moved with an outdated version', async () => {
  await using database = await openTestDatabase();
  const { queries } = database.db;
  const order = orderRow();
  await insertOrder(queries, order, [LINE]);
  await moveOrder(queries, order, { to: 'pending', at: 2 });

  await expect(moveOrder(queries, order, { to: 'declined', at: 3 })).rejects.toThrow('changed');

  expect(await findOrder(queries, order.id)).toMatchObject({ state: 'pending', version: 2 });
});

test('an order that two processes lock and pay at once is paid once', async () => {
  await using database = await openTestDatabase();
  const other = database.openAgain();
  const order = orderRow({ state: 'pending' });
  await insertOrder(database.db.queries, order, [LINE]);

  const results = await Promise.all(
    [database.db, other, database.db, other].map((db) =>
      db.transaction(async (queries) => {
        const locked = await lockOrder(queries, order.id);
        if (locked.state === 'paid') return 'already paid';
        await moveOrder(queries, locked, { to: 'paid', at: 2 });
        await insertFulfillment(queries, { orderId: order.id, attemptId: 'a', at: 2, stockTaken: 1 });
        return 'paid';
      }),
    ),
  );

  expect(results.filter((result) => result === 'paid')).toHaveLength(1);
});

test('a second fulfillment of an order and one without an order are refused', async () => {
  await using database = await openTestDatabase();
  const { queries } = database.db;
  const order = orderRow();
  await insertOrder(queries, order, [LINE]);
  const fulfillment = { orderId: order.id, attemptId: 'a', at: 1, stockTaken: 1 };
  await insertFulfillment(queries, fulfillment);

  await expect(insertFulfillment(queries, { ...fulfillment, attemptId: 'b' })).rejects.toThrow();
  await expect(insertFulfillment(queries, { ...fulfillment, orderId: 'none' })).rejects.toThrow();
});

test('the outbox jobs of an order cannot be queued twice', async () => {
  await using database = await openTestDatabase();
  const { queries } = database.db;
  const order = orderRow();
  await insertOrder(queries, order, [LINE]);
  await queueJobs(queries, order.id, { jobs: PAID_JOBS, at: 1 });

  await expect(queueJobs(queries, order.id, { jobs: PAID_JOBS, at: 2 })).rejects.toThrow(/unique/i);

  expect(await queries.selectFrom('outbox').selectAll().execute()).toHaveLength(2);
});

test('the products of an order are paid elsewhere if a replaced or replacing order is paid', async () => {
  await using database = await openTestDatabase();
  const { queries } = database.db;
  const last = orderRow({ state: 'pending' });
  const paid = orderRow({ state: 'paid', supersededBy: last.id });
  const sibling = orderRow({ state: 'cancelled', supersededBy: last.id });
  const unrelated = orderRow({ state: 'pending' });
  const orders = [last, paid, sibling, unrelated];
  for (const order of orders) await insertOrder(queries, order, [LINE]);

  const found = await Promise.all(orders.map((order) => isPaidElsewhere(queries, order)));

  expect(found).toEqual([true, false, true, false]);
});
