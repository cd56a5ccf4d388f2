import { expect, test } from '@jest/globals';
import { createPaymentTables, openPaymentDatabase, paymentMigrations } from '@tianguis/payments';
import { type Kysely, sql } from 'kysely';
import { openDatabaseOf } from '../../packages/payments/src/database/database.js';
import { isPostgres } from '../../packages/payments/src/database/dialects.js';
import { runMigrations } from '../../packages/payments/src/database/run-migrations.js';
import { assertPaymentTables } from '../../packages/payments/src/store/check-tables.js';
import { PAYMENT_TABLES, paymentTablesSql } from '../../packages/payments/src/store/table-sql.js';
import { programMigrations } from '../../src/tables/migrations/index.js';
import { openTestDatabase, type TestDatabase } from '../support/test-database.js';

type Db = TestDatabase['queries'];

const tablesOf = (prefix = '') => sql.join(PAYMENT_TABLES.map((table) => sql`${prefix + table}`));

/** Returns each entry of the database's catalog about the payments' tables as one text without the prefix, sorted. */
async function readCatalog(queries: Db, prefix = ''): Promise<readonly string[]> {
  const query = isPostgres(queries) ? postgresCatalog(prefix) : sqliteCatalog(prefix);
  const { rows } = await query.execute(queries as Kysely<unknown>);
  const plain = (entry: string) => entry.replace(/ON \w+\./, 'ON ').replace(/\s+/g, ' ');
  return rows.map(({ entry }) => (prefix ? plain(entry).replaceAll(prefix, '') : plain(entry))).sort();
}

const postgresCatalog = (prefix: string) => sql<{ entry: string }>`
  select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) as entry
    from information_schema.columns where table_schema = current_schema() and table_name in (${tablesOf(prefix)})
  union all select indexdef from pg_indexes where schemaname = current_schema() and tablename in (${tablesOf(prefix)})
  union all select concat_ws(' ', relname, conname, pg_get_constraintdef(pg_constraint.oid)) from pg_constraint
    join pg_class on pg_class.oid = conrelid
    where connamespace = current_schema()::regnamespace and relname in (${tablesOf(prefix)})`;

const sqliteCatalog = (prefix: string) => sql<{ entry: string }>`
  with own as (select name, sql from sqlite_master where type = 'table' and name in (${tablesOf(prefix)}))
  select concat_ws(' ', own.name, info.name, info.type, info."notnull", info.dflt_value, info.pk) as entry
    from own, pragma_table_info(own.name) as info
  union all select concat_ws(' ', own.name, list.origin, list."unique", part.seqno, part.name)
    from own, pragma_index_list(own.name) as list, pragma_index_info(list.name) as part where list.origin <> 'c'
  union all select sql from sqlite_master where type = 'index' and sql <> '' and tbl_name in (${tablesOf(prefix)})
  union all select concat_ws(' ', own.name, k."from", k."table", k."to", k.on_delete)
    from own, pragma_foreign_key_list(own.name) as k
  union all select own.name || ' autoincrement' from own where sql like '%autoincrement%'
  union all select own.name || ' positive' from own where sql like '%check (amount > 0)%'`;

const isOfOrders = (entry: string) => /^orders |orders_| ON orders /i.test(entry);

/** A database with the migrations of the program alone. */
async function openProgram(): Promise<TestDatabase> {
  const database = await openTestDatabase({ migrated: false });
  await runMigrations(database.queries, [{ table: 'kysely_migration', migrations: programMigrations }]);
  return database;
}

test('createPaymentTables makes the same columns, indexes and constraints as the migrations of the shop', async () => {
  await using shop = await openProgram();
  await using own = await openTestDatabase({ migrated: false });
  await runMigrations(shop.queries, [paymentMigrations()]);

  await createPaymentTables(own.queries);

  const ofShop = await readCatalog(shop.queries);
  const created = await readCatalog(own.queries);
  expect(created.length).toBeGreaterThan(120);
  // The shop has further columns and indexes of orders.
  expect(ofShop).toEqual(expect.arrayContaining([...created]));
  expect(created.filter((entry) => !isOfOrders(entry))).toEqual(ofShop.filter((entry) => !isOfOrders(entry)));
});

test('four processes at once, a prefix, the SQL text, and the migrations of a host make the same tables', async () => {
  await using created = await openTestDatabase({ migrated: false });
  await using byText = await openTestDatabase({ migrated: false });
  await using byHost = await openTestDatabase({ migrated: false });
  const { queries } = created;
  const processes = [queries, ...[1, 2, 3].map(() => created.openAgain().queries)];

  await Promise.all(processes.map((db) => createPaymentTables(db)));
  await using prefixed = openPaymentDatabase(created.url, () => {}, { tablePrefix: 'pay_' });
  await createPaymentTables(prefixed.queries);
  const text = paymentTablesSql(isPostgres(queries) ? 'postgres' : 'sqlite');
  for (const statement of text.split(';\n').filter(Boolean)) await sql.raw(statement).execute(byText.queries);

  await using host = openDatabaseOf(byHost.url, { onError: () => {}, migrations: [paymentMigrations()] });
  await host.migrate();

  const expected = await readCatalog(queries);
  expect(await readCatalog(byHost.queries)).toEqual(expected);
  expect(await readCatalog(byText.queries)).toEqual(expected);
  expect(await readCatalog(queries, 'pay_')).toEqual(expected);
  await assertPaymentTables(byText.queries);
});

test('on the database of a shop, the payments’ migrations only add columns and the check accepts it', async () => {
  await using shop = await openProgram();
  const before = await readCatalog(shop.queries);

  await runMigrations(shop.queries, [paymentMigrations()]);

  const after = await readCatalog(shop.queries);
  const added = after.filter((entry) => !before.includes(entry));
  expect(after.filter((entry) => before.includes(entry))).toEqual(before);
  expect(added.map((entry) => entry.split(' ').slice(0, 2).join(' '))).toEqual(['attempts method', 'attempts note']);
  await assertPaymentTables(shop.queries);
});

const HOST_ORDERS = 'create table orders (id text primary key, customer text not null, total bigint)';

test('orders of the host without rows get the columns that they lack', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  await sql.raw(HOST_ORDERS).execute(queries);

  await createPaymentTables(queries, { orders: 'add_columns' });

  await assertPaymentTables(queries);
  const insert = (id: string) =>
    sql`insert into orders (id, customer, number, token, state, version, total, currency, created_at, updated_at)
      values (${id}, 'Eva', 'A-1', ${id}, 'created', 1, 100, 'MXN', 1, 1)`.execute(queries);
  await insert('1');
  await expect(insert('2')).rejects.toThrow(/unique/i);
});

/** For each: the tables of the host, whether the missing columns are added, and the error. */
const REFUSED = [
  [HOST_ORDERS, undefined, /orders\.number is missing; orders\.token is missing; .*takes a tablePrefix/],
  [
    `${HOST_ORDERS}; insert into orders values ('1', 'Eva', 1)`,
    'add_columns',
    /orders has rows without number, token,/,
  ],
  ['create table orders (id integer primary key)', 'add_columns', /orders\.id is integer instead of text/],
  [
    'create table orders (id integer primary key); insert into orders values (1)',
    'add_columns',
    /orders\.id is integer instead of text\. With a tablePrefix/,
  ],
  ['create table outbox (key text primary key, mail text)', undefined, /outbox\.order_id is missing; outbox\.job is/],
] as const;

test.each(REFUSED)(
  'a host with «%s» and orders: %s gets an error, and its tables stay',
  async (tables, added, error) => {
    await using database = await openTestDatabase({ migrated: false });
    const { queries } = database;
    for (const statement of tables.split('; ')) await sql.raw(statement).execute(queries);
    const before = await readCatalog(queries);

    await expect(createPaymentTables(queries, { ...(added && { orders: added }) })).rejects.toThrow(error);

    expect(await readCatalog(queries)).toEqual(before);
  },
);

test('the check names everything that is missing in one error', async () => {
  await using database = await openTestDatabase({ migrated: false });
  await using prefixed = openPaymentDatabase(database.url, () => {}, { tablePrefix: 'pay_' });
  const { queries } = prefixed;
  const limits = isPostgres(queries) ? '; table pay_attempt_limits is missing' : '';
  await expect(assertPaymentTables(queries)).rejects.toThrow(
    `table pay_orders is missing; table pay_attempts is missing; table pay_refunds is missing; table pay_order_events is missing; table pay_inbox is missing; table pay_outbox is missing${limits}.`,
  );

  await createPaymentTables(queries);
  await queries.schema.dropIndex('pay_attempts_one_live').execute();
  await queries.schema.alterTable('pay_attempts').dropColumn('notFoundAt').execute();
  await queries.schema.alterTable('pay_inbox').dropColumn('event').execute();
  await queries.schema.dropTable('pay_outbox').execute();

  await expect(assertPaymentTables(queries)).rejects.toThrow(
    'pay_attempts.not_found_at is missing; pay_attempts has no unique key (order_id); pay_inbox.event is missing; table pay_outbox is missing.',
  );
});

test('tables with a prefix of the version before get the table of the limits', async () => {
  await using database = await openTestDatabase({ migrated: false });
  await using prefixed = openPaymentDatabase(database.url, () => {}, { tablePrefix: 'pay_' });
  const { queries } = prefixed;
  await createPaymentTables(queries);
  await sql`drop table if exists pay_attempt_limits`.execute(queries);
  await sql`delete from pay_payment_migration where name >= '2026-11-28'`.execute(queries);

  await createPaymentTables(queries);

  await assertPaymentTables(queries);
});

test('the SQL text with a prefix creates only tables with it', () => {
  const text = paymentTablesSql('postgres', { tablePrefix: 'pay_' });
  const created = [...text.matchAll(/create table if not exists (\w+)/g)].map(([, name]) => name);
  expect(created).toEqual([...PAYMENT_TABLES, 'attempt_limits'].map((table) => `pay_${table}`));
});

test('a prefix that is not a lower-case name is refused', () => {
  for (const tablePrefix of ['Pay_', '1_', 'pay-', 'pay"; drop table orders; --', 'a'.repeat(21)])
    for (const use of [
      () => paymentTablesSql('sqlite', { tablePrefix }),
      () => openPaymentDatabase('file:never-opened.db', () => {}, { tablePrefix }),
    ])
      expect(use).toThrow(RangeError);
});
