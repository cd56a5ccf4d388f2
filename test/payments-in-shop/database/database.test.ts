import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { attemptRow } from '@tianguis/payments/testing';
import { type Migration, sql } from 'kysely';
import { runMigrations } from '../../../packages/payments/src/database/run-migrations.js';
import { findAttempts, insertAttempt, leaseDueAttempts } from '../../../packages/payments/src/store/attempts.js';
import { insertCart } from '../../../src/tables/carts.js';
import { type Db, openDatabase } from '../../../src/tables/database.js';
import { programMigrations } from '../../../src/tables/migrations/index.js';
import { findOrder, insertOrder } from '../../../src/tables/orders.js';
import { endSession, findSession, putSession } from '../../../src/tables/sessions.js';
import { LINE, orderRow } from '../../support/rows.js';
import { openTestDatabase, type TestDatabase } from '../../support/test-database.js';

async function cartIds({ queries }: TestDatabase): Promise<readonly string[]> {
  const carts = await queries.selectFrom('carts').select('id').orderBy('id').execute();
  return carts.map(({ id }) => id);
}

test('a database without tables rejects a ping and accepts it after four processes migrated it at once, which can be repeated', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const processes = [database.db, database.openAgain(), database.openAgain(), database.openAgain()];

  await expect(database.db.ping()).rejects.toThrow();
  await Promise.all(processes.map((db) => db.migrate()));
  await insertCart(database.queries, 'first', 1);
  await database.db.migrate();

  await expect(database.openAgain().ping()).resolves.toBeUndefined();
  expect(await cartIds(database)).toEqual(['first']);
});

test('a running process still reads and writes tables to which another process added columns', async () => {
  await using database = await openTestDatabase();
  const { queries } = database;
  const order = orderRow();
  await insertOrder(queries, order, [LINE]);
  await insertAttempt(queries, attemptRow(order.id));
  const readAll = async () => ({
    order: await findOrder(queries, order.id),
    attempts: await findAttempts(queries, order.id),
    due: await leaseDueAttempts(queries, 'live', { at: 5, leaseUntil: 5, limit: 5 }),
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

test('a write that waits for another process’s transaction blocks no other work and succeeds after it', async () => {
  await using database = await openTestDatabase();
  const other = database.openAgain();

  const transaction = other.transaction(async (queries) => {
    await insertCart(queries, 'transaction', 1);
    const single = insertCart(database.queries, 'single', 1);
    // A write that blocked the event loop would keep this transaction open forever.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return { single };
  });
  await (await transaction).single;
  await database.db.transaction((queries) => insertCart(queries, 'after', 1));

  expect(await cartIds(database)).toEqual(['after', 'single', 'transaction']);
});

const create = (table: string): Migration => ({
  up: (db) => db.schema.createTable(table).addColumn('id', 'integer').execute(),
});

/** A migration of the merchant. It changes a table of the program, although its name sorts first. */
const OWN: Readonly<Record<string, Migration>> = {
  '0000-loyalty': {
    up: async (db) => {
      await db.schema.alterTable('orders').addColumn('points', 'integer').execute();
      await create('loyalty').up(db);
    },
  },
};

/** The program's migrations after an upgrade. */
const setsOf = (program: typeof programMigrations, own: typeof programMigrations) => [
  { table: 'kysely_migration', migrations: program },
  { table: 'own_migration', migrations: own },
];
const UPGRADED = { ...programMigrations, '9999-upgrade': create('upgraded') };

async function expectTables(queries: Db, tables: readonly string[]): Promise<void> {
  for (const table of tables) await sql`select count(*) from ${sql.table(table)}`.execute(queries);
}

test('a merchant’s migration runs after the program’s and stays valid when an upgrade adds one', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database.db;

  await runMigrations(queries, setsOf(programMigrations, OWN));
  await runMigrations(queries, setsOf(UPGRADED, OWN));
  await runMigrations(queries, setsOf(UPGRADED, { ...OWN, '0001-gifts': create('gifts') }));

  await expectTables(queries, ['loyalty', 'upgraded', 'gifts']);
});

test('only the owner can read the files of the embedded database', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tianguis-'));
  const db = openDatabase(`file:${join(directory, 'new', 'shop.db')}`, () => {});
  try {
    await db.migrate();

    const files = await readdir(join(directory, 'new'));
    const modes = await Promise.all(files.map(async (name) => (await stat(join(directory, 'new', name))).mode & 0o777));

    expect(files).toContain('shop.db-wal');
    expect(new Set(modes)).toEqual(new Set([0o600]));
  } finally {
    await db[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  }
});

test('a session is found with its newest data until it expires, and can be ended earlier and not later', async () => {
  await using database = await openTestDatabase();
  const { queries } = database;
  await putSession(queries, { sid: 's', data: 'old', expiresAt: 50 });
  await putSession(queries, { sid: 's', data: 'new', expiresAt: 100 });
  const found = async (...times: number[]) => Promise.all(times.map((at) => findSession(queries, 's', at)));

  expect(await found(99, 100)).toEqual(['new', undefined]);
  for (const end of [50, 80]) await endSession(queries, 's', end);
  expect(await found(49, 50)).toEqual(['new', undefined]);
  expect(await findSession(queries, 'other', 1)).toBeUndefined();
});
