/** The version before on a database of a newer one: a process that restarts during an upgrade, and the way back. */
import { expect, test } from '@jest/globals';
import { paymentMigrations } from '@tianguis/payments';
import { openDatabaseOf } from '@tianguis/payments/database';
import { type Kysely, type Migration, sql } from 'kysely';
import { programMigrations } from '../../src/tables/migrations/index.js';
import { importTestCatalog } from '../support/catalog.js';
import { numbers } from '../support/crowd.js';
import { placePaidOrder } from '../support/purchase.js';
import { openTestDatabase } from '../support/test-database.js';
import { openTestShop } from '../support/test-shop.js';

const addsColumnTo = (table: string): Migration => ({
  up: (db: Kysely<unknown>) => db.schema.alterTable(table).addColumn('gift', 'text').execute(),
});

/** Opens the database as a newer version of the shop and of its payments does. */
function openNewer(url: string) {
  const payments = paymentMigrations();
  return openDatabaseOf(url, {
    onError: () => {},
    migrations: [
      { table: 'kysely_migration', migrations: { ...programMigrations, '9999-gifts': addsColumnTo('order_lines') } },
      { ...payments, migrations: { ...payments.migrations, '9999-gifts-paid': addsColumnTo('orders') } },
    ],
  });
}

test('a shop of the version before starts on the database of a newer one, logs its migrations, and sells', async () => {
  await using database = await openTestDatabase();
  await using newer = openNewer(database.url);
  await newer.migrate();
  // The sample products may be other ones.
  await importTestCatalog(database.db);

  await using shop = await openTestShop({ env: { DATABASE_URL: database.url } });

  expect(shop.logged.filter((line) => line.includes('database.newer_found'))).toEqual([
    expect.stringContaining('"migrations":"9999-gifts 9999-gifts-paid"'),
  ]);
  expect((await placePaidOrder(shop)).order.state).toBe('paid');
  expect(await newer.migrate()).toEqual([]);
});

test('processes of both versions that start at once on one database all start', async () => {
  for (const _ of numbers(5)) {
    await using database = await openTestDatabase({ migrated: false });
    await using newer = openNewer(database.url);
    const [one, other] = [database.openAgain(), database.openAgain()];

    await Promise.all([one, newer, other].map((db) => db.migrate()));

    await expect(one.ping()).resolves.toBeUndefined();
    expect(await one.migrate()).toEqual(['9999-gifts', '9999-gifts-paid']);
  }
});

test('a database with unknown migrations that lacks one of this version is refused, and not changed', async () => {
  await using database = await openTestDatabase();
  await sql`update kysely_migration set name = '9999-other' where name = '0001-initial'`.execute(database.queries);
  const names = async () => (await sql`select name from kysely_migration order by name`.execute(database.queries)).rows;
  const before = await names();

  await expect(database.db.migrate()).rejects.toThrow(
    'the database has unknown migrations (9999-other) and lacks 0001-initial',
  );
  expect(await names()).toEqual(before);
});
