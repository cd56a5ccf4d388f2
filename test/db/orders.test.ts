import { describe, expect, test } from '@jest/globals';
import {
  findLatestOrderOfCart,
  findOrder,
  findOrderByToken,
  findOrderLines,
  insertFulfillment,
  insertOrder,
  isPaidElsewhere,
  lockOrder,
  moveOrder,
} from '../../src/db/orders.js';
import { ORDER_STATES } from '../../src/domain/order.js';
import { LINE, orderRow } from '../support/rows.js';
import { openTestDatabase } from '../support/test-database.js';

describe('an order row', () => {
  test('comes back with its lines in the order they were frozen', async () => {
    await using place = await openTestDatabase();
    const order = orderRow();
    const lines = ['b', 'a', 'c'].map((productId) => ({ ...LINE, productId }));

    await insertOrder(place.db.queries, order, lines);

    expect(await findOrderByToken(place.db.queries, order.token)).toEqual(order);
    expect(await findOrderLines(place.db.queries, order.id)).toEqual(lines);
  });

  test.each([
    ['cart version', ({ cartId, cartVersion }: ReturnType<typeof orderRow>) => ({ cartId, cartVersion })],
    ['number', ({ number }: ReturnType<typeof orderRow>) => ({ number })],
    ['token', ({ token }: ReturnType<typeof orderRow>) => ({ token })],
  ])('is the only one with its %s', async (_name, same) => {
    await using place = await openTestDatabase();
    const first = orderRow();
    await insertOrder(place.db.queries, first, [LINE]);

    const twin = place.db.transaction((queries) => insertOrder(queries, orderRow(same(first)), [LINE]));

    await expect(twin).rejects.toThrow(/unique/i);
    expect(await place.db.queries.selectFrom('orderLines').selectAll().execute()).toHaveLength(1);
  });

  test('is written once when ten callers place the same cart at the same instant', async () => {
    await using place = await openTestDatabase();
    const { cartId } = orderRow();

    const written = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        place.db.transaction((queries) => insertOrder(queries, orderRow({ cartId }), [LINE])),
      ),
    );

    expect(written.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await place.db.queries.selectFrom('orders').select('id').execute()).toHaveLength(1);
  });

  test('that is paid never moves', async () => {
    await using place = await openTestDatabase();
    const order = orderRow({ state: 'paid' });
    await insertOrder(place.db.queries, order, [LINE]);

    for (const to of ORDER_STATES) {
      await expect(moveOrder(place.db.queries, order, { to, at: 2 })).rejects.toThrow('paid');
    }
    expect(await findOrder(place.db.queries, order.id)).toEqual(order);
  });

  test('is not moved on stale reading', async () => {
    await using place = await openTestDatabase();
    const order = orderRow();
    await insertOrder(place.db.queries, order, [LINE]);
    await moveOrder(place.db.queries, order, { to: 'pending', at: 2 });

    await expect(moveOrder(place.db.queries, order, { to: 'declined', at: 3 })).rejects.toThrow('changed');

    expect(await findOrder(place.db.queries, order.id)).toMatchObject({ state: 'pending', version: 2 });
  });

  test('is moved by one of two processes that hold it, and the other reads the winner’s state', async () => {
    await using place = await openTestDatabase();
    const other = place.openAgain();
    const order = orderRow({ state: 'pending' });
    await insertOrder(place.db.queries, order, [LINE]);
    const settle = (db: typeof other) =>
      db.transaction(async (queries) => {
        const held = await lockOrder(queries, order.id);
        if (held.state === 'paid') return 'already paid';
        await moveOrder(queries, held, { to: 'paid', at: 2 });
        await insertFulfillment(queries, { orderId: order.id, attemptId: 'a', at: 2 });
        return 'paid';
      });

    const results = await Promise.all([settle(place.db), settle(other), settle(place.db), settle(other)]);

    expect(results.filter((result) => result === 'paid')).toHaveLength(1);
  });

  test('is fulfilled once by the word of the database', async () => {
    await using place = await openTestDatabase();
    const order = orderRow();
    await insertOrder(place.db.queries, order, [LINE]);
    const fulfillment = { orderId: order.id, attemptId: 'a', at: 1 };
    await insertFulfillment(place.db.queries, fulfillment);

    await expect(insertFulfillment(place.db.queries, { ...fulfillment, attemptId: 'b' })).rejects.toThrow();
    await expect(insertFulfillment(place.db.queries, { ...fulfillment, orderId: 'none' })).rejects.toThrow();
  });

  test('of the newest cart version is the latest one of its cart', async () => {
    await using place = await openTestDatabase();
    const newest = orderRow({ cartId: 'cart', cartVersion: 12 });
    for (const order of [orderRow({ cartId: 'cart', cartVersion: 9 }), newest, orderRow()]) {
      await insertOrder(place.db.queries, order, [LINE]);
    }

    expect((await findLatestOrderOfCart(place.db.queries, 'cart'))?.id).toBe(newest.id);
    expect(await findLatestOrderOfCart(place.db.queries, 'no-cart')).toBeUndefined();
  });

  test('knows of money for the same goods among those it replaced or was replaced by, and no others', async () => {
    await using place = await openTestDatabase();
    const last = orderRow({ state: 'pending' });
    const paid = orderRow({ state: 'paid', supersededBy: last.id });
    const sibling = orderRow({ state: 'cancelled', supersededBy: last.id });
    const stranger = orderRow({ state: 'pending' });
    for (const order of [last, paid, sibling, stranger]) await insertOrder(place.db.queries, order, [LINE]);

    const found = await Promise.all(
      [last, paid, sibling, stranger].map((order) => isPaidElsewhere(place.db.queries, order)),
    );

    expect(found).toEqual([true, false, true, false]);
  });
});
