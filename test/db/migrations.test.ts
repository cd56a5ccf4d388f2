import { expect, test } from '@jest/globals';
import { type Migration, sql } from 'kysely';
import { conditionOf } from '../../src/db/check-database.js';
import type { Queries } from '../../src/db/database.js';
import { migrations } from '../../src/db/migrations.js';
import { migrators, runMigrations } from '../../src/db/run-migrations.js';
import { openTestDatabase } from '../support/test-database.js';

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

/** Returns the program's migrations before and after an upgrade. */
async function versions() {
  const before = await migrations.getMigrations();
  return { before, after: { ...before, '9999-upgrade': create('upgraded') } };
}

async function expectTables(queries: Queries, tables: readonly string[]): Promise<void> {
  for (const table of tables) await sql`select count(*) from ${sql.table(table)}`.execute(queries);
}

test('a merchant’s migration runs after the program’s and stays valid when an upgrade adds one', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database.db;
  const { before, after } = await versions();

  await runMigrations(queries, { program: before, own: OWN });
  await runMigrations(queries, { program: after, own: OWN });
  await runMigrations(queries, { program: after, own: { ...OWN, '0001-gifts': create('gifts') } });

  await expectTables(queries, ['loyalty', 'upgraded', 'gifts']);
});

test('a migration added to the program’s list stays valid when an upgrade adds an earlier name', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database.db;
  const { before, after } = await versions();
  const added = { '9999-zz-loyalty': create('loyalty') };

  await runMigrations(queries, { program: { ...before, ...added }, own: {} });
  await runMigrations(queries, { program: { ...after, ...added }, own: {} });

  await expectTables(queries, ['loyalty', 'upgraded']);
});

test('a migration that was not run is reported as missing', async () => {
  await using database = await openTestDatabase();
  const { queries } = database.db;
  const sets = { program: await migrations.getMigrations(), own: OWN };

  const before = await conditionOf(queries, await migrators(queries, sets));
  await runMigrations(queries, sets);
  const after = await conditionOf(queries, await migrators(queries, sets));

  expect(before).toMatchObject({ missing: ['0000-loyalty'], unknown: [] });
  expect(after).toEqual({ missing: [], unknown: [] });
});
