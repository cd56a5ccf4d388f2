/** Checks the migrations and the write access of a database. */
import { type Kysely, sql } from 'kysely';
import type { NamedMigrator } from './run-migrations.js';
import type { Schema } from './schema.js';

export interface DatabaseCondition {
  /** Migrations that this database has not run, in order. */
  readonly missing: readonly string[];
  /** Migrations that this database has run and this program does not have: a newer program created the tables. */
  readonly unknown: readonly string[];
  /** The error of the trial write. Absent when the database can be written to. */
  readonly fault?: Error;
}

/** Changes nothing: the trial write is rolled back. Throws when the database cannot be reached. */
export async function conditionOf(
  queries: Kysely<Schema>,
  migrators: readonly NamedMigrator[],
): Promise<DatabaseCondition> {
  const steps = await Promise.all(migrators.map((migrator) => stepsOf(queries, migrator)));
  const missing = steps.flatMap((each) => each.missing);
  const fault = await tryToWrite(queries, missing.length === 0);
  return { missing, unknown: steps.flatMap((each) => each.unknown), ...(fault && { fault }) };
}

async function stepsOf(queries: Kysely<Schema>, { migrator, table }: NamedMigrator) {
  const steps = await migrator.getMigrations();
  const missing = steps.flatMap(({ name, executedAt }) => (executedAt === undefined ? [name] : []));
  const known = steps.map(({ name }) => name);
  const taken = missing.length === steps.length ? [] : await takenSteps(queries, table);
  return { missing, unknown: taken.filter((name) => !known.includes(name)) };
}

async function takenSteps(queries: Kysely<Schema>, table: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)}`.execute(queries);
  return rows.map(({ name }) => name);
}

class TakenBack extends Error {}

/** Inserts a row, or creates a table in an empty database, and rolls back. Both databases roll DDL back. */
async function tryToWrite(queries: Kysely<Schema>, hasTables: boolean): Promise<Error | undefined> {
  const trial = hasTables
    ? sql`insert into sessions (sid, data, expires_at) values ('write-trial', '', 0)`
    : sql`create table write_trial (id integer)`;
  try {
    await queries.transaction().execute(async (transaction) => {
      await trial.execute(transaction);
      throw new TakenBack();
    });
  } catch (error) {
    if (error instanceof TakenBack) return undefined;
    return error instanceof Error ? error : new Error(String(error));
  }
  return undefined;
}
