/** Query plans of the statements that the store executes. */

import { isPostgres } from '@tianguis/payments/database';
import { type CompiledQuery, sql } from 'kysely';
import type { Database, Db } from '../../src/tables/database.js';

export type RunQueries = (queries: Db) => Promise<unknown>;

/** Matches a full table scan in a plan of SQLite or PostgreSQL. A scan of an index alone does not match. */
export const READS_A_TABLE = /Seq Scan|SCAN (?!\w+ USING|(?:piece|categories|started|\(subquery-\d+\)|CONSTANT ROW)$)/m;

/** Returns the query plan of each statement that `run` executes. */
export async function plansOf(db: Database, run: RunQueries): Promise<readonly string[]> {
  const statements: CompiledQuery[] = [];
  const plans = await db.transaction(async (queries) => {
    // A transaction has one connection, so all its statements pass this object.
    const connection = await queries.getExecutor().provideConnection((given) => Promise.resolve(given));
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = (statement) => {
      statements.push(statement);
      return execute(statement);
    };
    await run(queries);
    connection.executeQuery = execute;
    // SQLite explains write statements only outside of a transaction.
    if (!isPostgres(queries)) return [];
    // PostgreSQL prefers a sequential scan for empty tables. Disabling it makes the planner use an index where
    // there is one.
    await sql`set local enable_seqscan = off`.execute(queries);
    await sql`set local enable_bitmapscan = off`.execute(queries);
    return explainAll(queries, statements);
  });
  return isPostgres(db.queries) ? plans : explainAll(db.queries, statements);
}

async function explainAll(queries: Db, statements: readonly CompiledQuery[]): Promise<readonly string[]> {
  const plans: string[] = [];
  for (const statement of statements) plans.push(await explain(queries, statement));
  return plans;
}

async function explain(queries: Db, { sql: text, parameters }: CompiledQuery): Promise<string> {
  const postgres = isPostgres(queries);
  const [first = '', ...rest] = text.split(postgres ? /\$\d+/ : '?');
  const filled = rest.map((piece, place) => sql`${sql.lit(parameters[place])}${sql.raw(piece)}`);
  const verb = sql.raw(postgres ? 'explain ' : 'explain query plan ');
  const statement = sql<Record<string, unknown>>`${verb}${sql.raw(first)}${sql.join(filled, sql``)}`;
  const { rows } = await statement.execute(queries.withoutPlugins());
  return rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n');
}
