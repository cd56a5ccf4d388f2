import type { Queries } from '../../src/db/database.js';
import { migrators } from '../../src/db/run-migrations.js';

export interface DatabaseCondition {
  /** Migrations that this database has not run, in order. */
  readonly missing: readonly string[];
  /** Migrations that this database has run and this program does not have: a newer program created the tables. */
  readonly unknown: readonly string[];
  /** The error of the trial write. Absent when the database can be written to. */
  readonly fault?: Error;
}

/** Changes nothing: the trial write is rolled back. Throws when the database cannot be reached. */
export async function readCondition(queries: Queries): Promise<DatabaseCondition> {
  const missing: string[] = [];
  const unknown: string[] = [];
  for (const { migrator, table } of await migrators(queries)) {
    const steps = await migrator.getMigrations();
    const notRun = steps.filter(({ executedAt }) => executedAt === undefined);
    missing.push(...notRun.map(({ name }) => name));
    // The table may not exist before the first migration.
    if (notRun.length === steps.length) continue;
    const run = await queries
      .withTables<Record<string, { name: string }>>()
      .selectFrom(table)
      .select('name')
      .execute();
    unknown.push(...run.map(({ name }) => name).filter((name) => !steps.some((step) => step.name === name)));
  }
  return { missing, unknown, fault: await tryToWrite(queries, missing.length === 0) };
}

/** Inserts a row, or creates a table in an empty database, and rolls back. Both databases roll DDL back. */
async function tryToWrite(queries: Queries, hasTables: boolean): Promise<Error | undefined> {
  const rollback = new Error('rolled back');
  try {
    await queries.transaction().execute(async (transaction) => {
      await (hasTables
        ? transaction.insertInto('sessions').values({ sid: 'write-trial', data: '', expiresAt: 0 }).execute()
        : transaction.schema.createTable('write_trial').addColumn('id', 'integer').execute());
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) return error instanceof Error ? error : new Error(String(error));
  }
  return undefined;
}
