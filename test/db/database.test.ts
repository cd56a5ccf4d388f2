import { describe, expect, test } from '@jest/globals';
import { findAttempts, insertAttempt, leaseDueAttempts } from '../../src/db/attempts.js';
import { insertCart } from '../../src/db/carts.js';
import { findOrder, insertOrder } from '../../src/db/orders.js';
import { attemptRow, LINE, orderRow } from '../support/rows.js';
import { openTestDatabase } from '../support/test-database.js';

describe('the database', () => {
  test('is brought to today’s shape once, however often it is asked to', async () => {
    await using place = await openTestDatabase({ migrated: false });

    await place.db.migrate();
    await insertCart(place.db.queries, 'kept', 1);
    await place.db.migrate();

    const carts = await place.db.queries.selectFrom('carts').select('id').execute();
    expect(carts).toEqual([{ id: 'kept' }]);
  });

  test('is brought to today’s shape by several processes that start at once', async () => {
    await using place = await openTestDatabase({ migrated: false });
    const processes = [place.db, place.openAgain(), place.openAgain(), place.openAgain()];

    await Promise.all(processes.map((db) => db.migrate()));

    await expect(place.openAgain().ping()).resolves.toBeUndefined();
  });

  test('is brought to today’s shape beside another one on the same server', async () => {
    await using first = await openTestDatabase();
    await using second = await openTestDatabase();

    await insertCart(first.db.queries, 'first', 1);

    expect(await second.db.queries.selectFrom('carts').selectAll().execute()).toEqual([]);
  });

  test('without its tables does not answer a ping', async () => {
    await using place = await openTestDatabase({ migrated: false });

    await expect(place.db.ping()).rejects.toThrow();
  });

  test('still answers a process that runs an older program after another process has added columns', async () => {
    await using place = await openTestDatabase();
    const { queries } = place.db;
    const order = orderRow();
    await insertOrder(queries, order, [LINE]);
    await insertAttempt(queries, attemptRow(order.id));
    const readAll = async () => ({
      order: await findOrder(queries, order.id),
      attempts: await findAttempts(queries, order.id),
      due: await leaseDueAttempts(queries, { at: 5, leaseUntil: 5, most: 5 }),
    });
    await readAll();

    const { schema } = place.openAgain().queries;
    await schema.alterTable('orders').addColumn('gift', 'text').execute();
    await schema.alterTable('attempts').addColumn('gift', 'text').execute();

    expect(await readAll()).toMatchObject({
      order: { id: order.id, paidAt: null },
      attempts: [{ orderId: order.id }],
      due: [{ orderId: order.id }],
    });
    await insertOrder(queries, orderRow(), [LINE]);
  });

  test('keeps nothing of a transaction that failed', async () => {
    await using place = await openTestDatabase();

    const failing = place.db.transaction(async (queries) => {
      await insertCart(queries, 'never', 1);
      throw new Error('midway');
    });

    await expect(failing).rejects.toThrow('midway');
    expect(await place.db.queries.selectFrom('carts').selectAll().execute()).toEqual([]);
  });

  test('goes on after a statement that failed inside a transaction', async () => {
    await using place = await openTestDatabase();
    await insertCart(place.db.queries, 'one', 1);

    await expect(place.db.transaction((queries) => insertCart(queries, 'one', 2))).rejects.toThrow();
    await place.db.transaction((queries) => insertCart(queries, 'two', 3));

    const carts = await place.db.queries.selectFrom('carts').select('id').orderBy('id').execute();
    expect(carts.map(({ id }) => id)).toEqual(['one', 'two']);
  });

  test('hands numbers out as numbers, up to the largest that is exact', async () => {
    await using place = await openTestDatabase();

    await insertCart(place.db.queries, 'one', Number.MAX_SAFE_INTEGER);

    const row = await place.db.queries.selectFrom('carts').selectAll().executeTakeFirstOrThrow();
    expect(row).toEqual({
      id: 'one',
      version: 1,
      createdAt: Number.MAX_SAFE_INTEGER,
      updatedAt: Number.MAX_SAFE_INTEGER,
    });
  });

  test('lets many transactions of two processes take turns', async () => {
    await using place = await openTestDatabase();
    const other = place.openAgain();
    await insertCart(place.db.queries, 'shared', 1);

    await Promise.all(
      Array.from({ length: 20 }, (_, turn) =>
        (turn % 2 === 0 ? place.db : other).transaction(async (queries) => {
          await queries
            .updateTable('carts')
            .set((eb) => ({ version: eb('version', '+', 1) }))
            .where('id', '=', 'shared')
            .execute();
        }),
      ),
    );

    const cart = await place.db.queries.selectFrom('carts').select('version').executeTakeFirstOrThrow();
    expect(cart.version).toBe(21);
  });

  test('writes and commits after another process held it for a while, and lets all else go on meanwhile', async () => {
    await using place = await openTestDatabase();
    const other = place.openAgain();
    let turns = 0;

    const holding = other.transaction(async (queries) => {
      await insertCart(queries, 'review', 1);
      const single = insertCart(place.db.queries, 'single', 1);
      // The loop turns while the single write waits, else this transaction would never end.
      for (; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      return { single };
    });
    await (await holding).single;
    await place.db.transaction((queries) => insertCart(queries, 'after', 1));

    const carts = await place.db.queries.selectFrom('carts').select('id').orderBy('id').execute();
    expect(carts.map(({ id }) => id)).toEqual(['after', 'review', 'single']);
    expect(turns).toBe(20);
  });
});
