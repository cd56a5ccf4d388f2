/** What is to be known of a database before the shop starts on it. */
import { type Kysely, type Migrator, sql } from 'kysely';
import type { Schema } from './schema.js';

export interface DatabaseCondition {
  /** Steps of the tables' history that are still to be taken here, in order. */
  readonly missing: readonly string[];
  /** Steps that were taken here and are unknown to this program: the tables are newer than it. */
  readonly unknown: readonly string[];
  /** Absent when it can be written to; else the fault. */
  readonly fault?: Error;
}

/** Looks, and writes only what it takes back at once. Throws when the database cannot be reached. */
export async function conditionOf(queries: Kysely<Schema>, migrator: Migrator): Promise<DatabaseCondition> {
  const steps = await migrator.getMigrations();
  const missing = steps.flatMap(({ name, executedAt }) => (executedAt === undefined ? [name] : []));
  const known = steps.map(({ name }) => name);
  const taken = missing.length === steps.length ? [] : await takenSteps(queries);
  const fault = await tryToWrite(queries, missing.length === 0);
  return {
    missing,
    unknown: taken.filter((name) => !known.includes(name)),
    ...(fault && { fault }),
  };
}

async function takenSteps(queries: Kysely<Schema>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(queries);
  return rows.map(({ name }) => name);
}

class TakenBack extends Error {}

/** One row where there are tables, else one table; both databases take either back with the transaction. */
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
