import { beforeEach, expect, test } from '@jest/globals';
import { ORDER_STATES } from '@tianguis/payments/rules';
import { updateOrderState } from '../../../packages/payments/src/store/orders.js';
import { queuePaidJobs } from '../../../src/shop/shop-jobs.js';
import { insertFulfillment } from '../../../src/tables/fulfillments.js';
import { findLinesOfOrders, findOrder, findOrderLines, insertOrder, lockOrder } from '../../../src/tables/orders.js';
import type { OrdersTable } from '../../../src/tables/schema.js';
import { LINE, orderRow } from '../../support/rows.js';
import { openSharedDatabase } from '../../support/test-database.js';

const { db, queries, openAgain } = await openSharedDatabase();

let order: OrdersTable;
beforeEach(async () => {
  order = orderRow();
  await insertOrder(queries, order, [LINE]);
});

test.each([['cartId', 'cartVersion'], ['number'], ['token']] as const)(
  'a second order with the same %s is refused with its lines',
  async (...members) => {
    const same = orderRow(Object.fromEntries(members.map((member) => [member, order[member]])));

    const second = db.transaction((inside) => insertOrder(inside, same, [LINE]));

    await expect(second).rejects.toThrow(/unique/i);
    expect(await findOrderLines(queries, same.id)).toEqual([]);
  },
);

test('the lines of no orders are empty', async () => {
  expect(await findLinesOfOrders(queries, [])).toEqual(new Map());
});

test('a paid order cannot change to any other state', async () => {
  const paid = orderRow({ state: 'paid' });
  await insertOrder(queries, paid, [LINE]);

  for (const to of ORDER_STATES.filter((state) => state !== 'paid'))
    await expect(updateOrderState(queries, paid, { to, at: 2 })).rejects.toThrow('paid');

  expect(await findOrder(queries, paid.id)).toMatchObject(paid);
});

test('an order with an outdated version cannot change its state', async () => {
  await updateOrderState(queries, order, { to: 'pending', at: 2 });

  await expect(updateOrderState(queries, order, { to: 'declined', at: 3 })).rejects.toThrow('changed');

  expect(await findOrder(queries, order.id)).toMatchObject({ state: 'pending', version: 2 });
});

test('an order that two processes lock and pay at once is paid once', async () => {
  const other = openAgain();

  const results = await Promise.all(
    [db, other, db, other].map((each) =>
      each.transaction(async (inside) => {
        const locked = await lockOrder(inside, order.id);
        if (locked.state === 'paid') return 'already paid';
        await updateOrderState(inside, locked, { to: 'paid', at: 2 });
        await insertFulfillment(inside, { orderId: order.id, attemptId: 'a', at: 2, stockTaken: 1 });
        return 'paid';
      }),
    ),
  );

  expect(results.filter((result) => result === 'paid')).toHaveLength(1);
});

test('a second fulfillment of an order and one without an order are refused', async () => {
  const fulfillment = { orderId: order.id, attemptId: 'a', at: 1, stockTaken: 1 };
  await insertFulfillment(queries, fulfillment);

  await expect(insertFulfillment(queries, { ...fulfillment, attemptId: 'b' })).rejects.toThrow();
  await expect(insertFulfillment(queries, { ...fulfillment, orderId: 'none' })).rejects.toThrow();
});

test('the jobs of a paid order are queued once', async () => {
  await queuePaidJobs(queries, order, 1);
  await queuePaidJobs(queries, order, 2);

  const jobs = await queries.selectFrom('outbox').select(['job', 'createdAt']).orderBy('job').execute();
  expect(jobs).toEqual([
    { job: 'on_paid', createdAt: 1 },
    { job: 'receipt', createdAt: 1 },
  ]);
});
