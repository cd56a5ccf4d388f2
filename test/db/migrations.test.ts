import { describe, expect, test } from '@jest/globals';
import { type Migration, sql } from 'kysely';
import { conditionOf } from '../../src/db/check-database.js';
import type { Database } from '../../src/db/database.js';
import { migrations } from '../../src/db/migrations.js';
import { migrators, runMigrations } from '../../src/db/run-migrations.js';
import { openTestDatabase } from '../support/test-database.js';

type Steps = Readonly<Record<string, Migration>>;

const create = (table: string): Migration => ({
  up: (db) => db.schema.createTable(table).addColumn('id', 'integer').execute(),
});

const OWN: Steps = {
  '0000-loyalty': {
    // Refers to the program's tables, although its name sorts first.
    up: async (db) => {
      await db.schema.alterTable('orders').addColumn('points', 'integer').execute();
      await create('loyalty').up(db);
    },
  },
};

/** The program before and after an upgrade. */
async function versions() {
  const today = await migrations.getMigrations();
  return { before: today, after: { ...today, '9999-upgrade': create('upgraded') } };
}

function count({ queries }: Database, table: string) {
  return sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(queries);
}

describe('a migration of the merchant', () => {
  test('runs after the program’s on a new database, and stays valid when an upgrade adds one', async () => {
    await using place = await openTestDatabase({ migrated: false });
    const { queries } = place.db;
    const { before, after } = await versions();

    await runMigrations(queries, { program: before, own: OWN });
    await runMigrations(queries, { program: after, own: OWN });
    await runMigrations(queries, { program: after, own: { ...OWN, '0001-gifts': create('gifts') } });

    for (const table of ['loyalty', 'upgraded', 'gifts'])
      await expect(count(place.db, table)).resolves.toBeDefined();
  });

  test('added to the program’s own list stays valid when an upgrade adds one that sorts before it', async () => {
    await using place = await openTestDatabase({ migrated: false });
    const { queries } = place.db;
    const { before, after } = await versions();
    const added = { '9999-zz-loyalty': create('loyalty') };

    await runMigrations(queries, { program: { ...before, ...added }, own: {} });
    await runMigrations(queries, { program: { ...after, ...added }, own: {} });

    for (const table of ['loyalty', 'upgraded']) await expect(count(place.db, table)).resolves.toBeDefined();
  });

  test('that was not run is reported as missing', async () => {
    await using place = await openTestDatabase();
    const { queries } = place.db;
    const sets = { program: await migrations.getMigrations(), own: OWN };

    const before = await conditionOf(queries, await migrators(queries, sets));
    await runMigrations(queries, sets);
    const after = await conditionOf(queries, await migrators(queries, sets));

    expect([before.missing, before.unknown]).toEqual([['0000-loyalty'], []]);
    expect(after).toEqual({ missing: [], unknown: [] });
  });
});
