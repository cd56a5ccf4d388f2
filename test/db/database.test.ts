import { expect, test } from '@jest/globals';
import { findAttempts, insertAttempt, leaseDueAttempts } from '../../src/db/attempts.js';
import { insertCart } from '../../src/db/carts.js';
import { findOrder, insertOrder } from '../../src/db/orders.js';
import { numbers } from '../support/crowd.js';
import { attemptRow, LINE, orderRow } from '../support/rows.js';
import { openTestDatabase, type TestDatabase } from '../support/test-database.js';

async function cartIds({ db }: TestDatabase): Promise<readonly string[]> {
  const carts = await db.queries.selectFrom('carts').select('id').orderBy('id').execute();
  return carts.map(({ id }) => id);
}

test('a database without tables rejects a ping and accepts it after a migration, which can be repeated', async () => {
  await using database = await openTestDatabase({ migrated: false });

  await expect(database.db.ping()).rejects.toThrow();
  await database.db.migrate();
  await insertCart(database.db.queries, 'first', 1);
  await database.db.migrate();

  await expect(database.db.ping()).resolves.toBeUndefined();
  expect(await cartIds(database)).toEqual(['first']);
});

test('four processes that migrate a database at once all succeed', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const processes = [database.db, database.openAgain(), database.openAgain(), database.openAgain()];

  await Promise.all(processes.map((db) => db.migrate()));

  await expect(database.openAgain().ping()).resolves.toBeUndefined();
});

test('a running process still reads and writes tables to which another process added columns', async () => {
  await using database = await openTestDatabase();
  const { queries } = database.db;
  const order = orderRow();
  await insertOrder(queries, order, [LINE]);
  await insertAttempt(queries, attemptRow(order.id));
  const readAll = async () => ({
    order: await findOrder(queries, order.id),
    attempts: await findAttempts(queries, order.id),
    due: await leaseDueAttempts(queries, { at: 5, leaseUntil: 5, most: 5 }),
  });
  await readAll();

  const { schema } = database.openAgain().queries;
  await schema.alterTable('orders').addColumn('gift', 'text').execute();
  await schema.alterTable('attempts').addColumn('gift', 'text').execute();

  expect(await readAll()).toMatchObject({
    order: { id: order.id, paidAt: null },
    attempts: [{ orderId: order.id }],
    due: [{ orderId: order.id }],
  });
  await insertOrder(queries, orderRow(), [LINE]);
});

test('a transaction that fails, in its code or in a statement, stores nothing, and the next one succeeds', async () => {
  await using database = await openTestDatabase();
  await insertCart(database.db.queries, 'one', 1);

  const failing = database.db.transaction(async (queries) => {
    await insertCart(queries, 'never', 1);
    throw new Error('midway');
  });
  await expect(failing).rejects.toThrow('midway');
  await expect(database.db.transaction((queries) => insertCart(queries, 'one', 2))).rejects.toThrow();
  await database.db.transaction((queries) => insertCart(queries, 'two', 3));

  expect(await cartIds(database)).toEqual(['one', 'two']);
});

test('twenty concurrent transactions of two processes all change the same row', async () => {
  await using database = await openTestDatabase();
  const other = database.openAgain();
  await insertCart(database.db.queries, 'shared', 1);

  await Promise.all(
    numbers(20).map((index) =>
      (index % 2 ? other : database.db).transaction((queries) =>
        queries
          .updateTable('carts')
          .set((eb) => ({ version: eb('version', '+', 1) }))
          .execute(),
      ),
    ),
  );

  const cart = await database.db.queries.selectFrom('carts').select('version').executeTakeFirst();
  expect(cart?.version).toBe(21);
});

test('a write that waits for another process’s transaction blocks no other work and succeeds after it', async () => {
  await using database = await openTestDatabase();
  const other = database.openAgain();

  const transaction = other.transaction(async (queries) => {
    await insertCart(queries, 'transaction', 1);
    const single = insertCart(database.db.queries, 'single', 1);
    // A write that blocked the event loop would keep this transaction open forever.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return { single };
  });
  await (await transaction).single;
  await database.db.transaction((queries) => insertCart(queries, 'after', 1));

  expect(await cartIds(database)).toEqual(['after', 'single', 'transaction']);
});
