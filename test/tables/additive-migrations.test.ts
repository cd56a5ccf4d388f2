/** Migrations only add, so that processes of two versions run side by side on one database. */
import { expect, test } from '@jest/globals';
import { isPostgres } from '@tianguis/payments/database';
import { ATTEMPT_STATES, ORDER_STATES, REFUND_STATES } from '@tianguis/payments/rules';
import { type ColumnMetadata, sql } from 'kysely';
import { FULFILLMENT_STATES } from '../../src/shop/rules/fulfillment.js';
import { type Db, migrators } from '../../src/tables/database.js';
import { openEarlierDatabase } from '../support/version-0-2-0.js';

/** The day on which the payments became a module. Every migration since then only adds. */
const SINCE = '2026-11-26';
/** The merchant's own migrations may do anything. */
const OWN = 'own_migration';

/** What a migration since then does beside adding. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // The same words with those of the name first. The version before finds each of them as before.
  'kysely_migration 2026-11-26-catalog-order': ['products.search_text has other values'],
};

interface StoredTable {
  readonly columns: readonly ColumnMetadata[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Returns all tables with their rows, without those that record migrations. */
async function readTables(db: Db): Promise<ReadonlyMap<string, StoredTable>> {
  const { rows } = isPostgres(db)
    ? await sql<{ name: string }>`select current_schema() as name`.execute(db)
    : { rows: [] };
  const found = (await db.introspection.getTables()).filter(
    ({ schema, name }) => schema === rows[0]?.name && !name.includes('migration'),
  );
  const tables = new Map<string, StoredTable>();
  for (const { name, columns } of found) {
    const { rows: stored } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      db.withoutPlugins(),
    );
    tables.set(name, { columns, rows: stored });
  }
  return tables;
}

async function readUniqueIndexes(db: Db): Promise<readonly string[]> {
  const query = isPostgres(db)
    ? sql<{ entry: string }>`select concat_ws('.', tablename, indexname) as entry from pg_indexes
        where schemaname = current_schema() and indexdef ilike 'create unique%'`
    : sql<{ entry: string }>`select tbl_name || '.' || sqlite_master.name as entry from sqlite_master
        where type = 'index' and sql like 'create unique%'`;
  return (await query.execute(db)).rows.map(({ entry }) => entry);
}

/** Runs a migration. Returns what a process of the version before it could not work with. */
async function findProblems(db: Db, migrate: () => Promise<unknown>): Promise<readonly string[]> {
  const [before, indexesBefore] = [await readTables(db), await readUniqueIndexes(db)];
  await migrate();
  const [after, indexes] = [await readTables(db), await readUniqueIndexes(db)];
  const ofTables = [...before].flatMap(([name, table]) => compareTable(name, table, after.get(name)));
  const unique = indexes.filter((entry) => !indexesBefore.includes(entry) && before.has(entry.split('.')[0] ?? ''));
  return [...ofTables, ...unique.map((entry) => `${entry} is a new unique index`)];
}

function compareTable(name: string, before: StoredTable, after: StoredTable | undefined): readonly string[] {
  if (!after) return [`${name} is missing`];
  const kept = before.columns.flatMap((column) => {
    const now = after.columns.find((each) => each.name === column.name);
    return compareColumn(`${name}.${column.name}`, column, now) ?? compareValues(name, column.name, before, after);
  });
  const required = after.columns.filter(
    (column) => !before.columns.some((each) => each.name === column.name) && isRequired(column),
  );
  return [...kept, ...required.map((column) => `${name}.${column.name} is new and required`)];
}

const isRequired = ({ isNullable, hasDefaultValue, isAutoIncrementing }: ColumnMetadata) =>
  !isNullable && !hasDefaultValue && !isAutoIncrementing;

function compareColumn(name: string, before: ColumnMetadata, now: ColumnMetadata | undefined) {
  if (!now) return [`${name} is missing`];
  if (now.dataType !== before.dataType) return [`${name} is ${now.dataType} instead of ${before.dataType}`];
  return isRequired(now) && !isRequired(before) ? [`${name} is required`] : undefined;
}

function compareValues(table: string, column: string, before: StoredTable, after: StoredTable): readonly string[] {
  const values = ({ rows }: StoredTable) => JSON.stringify(rows.map((row) => JSON.stringify(row[column])).sort());
  return values(before) === values(after) ? [] : [`${table}.${column} has other values`];
}

test(`each migration since ${SINCE} only adds to a database with orders of each state`, async () => {
  await using database = await openEarlierDatabase();
  const { queries } = database;
  const found: Record<string, readonly string[]> = {};
  const run: string[] = [];

  for (const { migrator, table } of (await migrators(queries)).filter(({ table }) => table !== OWN)) {
    for (const { name } of (await migrator.getMigrations()).filter(({ executedAt }) => !executedAt)) {
      const problems = await findProblems(queries, () => migrator.migrateTo(name));
      run.push(name);
      if (name >= SINCE && problems.length > 0) found[`${table} ${name}`] = problems;
    }
  }

  expect(run.length).toBeGreaterThan(20);
  expect(found).toEqual(EXCEPTIONS);
});

const REFUSED = [
  ['drops a table', 'drop table invoice_requests', ['invoice_requests is missing']],
  ['drops a column', 'alter table orders drop column delivery_notes', ['orders.delivery_notes is missing']],
  [
    'renames a column',
    'alter table orders rename column locale to language',
    ['orders.locale is missing', 'orders.language is new and required'],
  ],
  [
    'renames a stored word',
    "update attempts set state = 'done' where state = 'paid'",
    ['attempts.state has other values'],
  ],
  [
    'allows a value once',
    'create unique index refunds_one on refunds (order_id)',
    ['refunds.refunds_one is a new unique index'],
  ],
] as const;

test.each(REFUSED)('a migration that %s is found', async (_, statements, problems) => {
  await using database = await openEarlierDatabase();
  const { queries } = database;

  const found = await findProblems(queries, async () => {
    for (const statement of statements.split('; ')) await sql.raw(statement).execute(queries);
  });

  expect(found).toEqual(problems);
});

test('the stored words stay: there is no new state of an order, and no other word is renamed', () => {
  expect(ORDER_STATES).toEqual([
    'created',
    'pending',
    'outcome_unknown',
    'paid',
    'declined',
    'expired',
    'cancelled',
    'review',
  ]);
  expect(ATTEMPT_STATES).toEqual(
    expect.arrayContaining([
      'creating',
      'open',
      'unknown',
      'superseded',
      'failed',
      'paid',
      'declined',
      'expired',
      'cancelled',
      'review',
      'refunded',
    ]),
  );
  expect(REFUND_STATES).toEqual(
    expect.arrayContaining(['sending', 'succeeded', 'pending', 'refused', 'unknown', 'recorded']),
  );
  expect(FULFILLMENT_STATES).toEqual(
    expect.arrayContaining(['preparing', 'ready', 'shipped', 'delivered', 'returned', 'picked_up']),
  );
});
