/** How the database carries out what the store asks it. */
import { type CompiledQuery, sql } from 'kysely';
import type { Database, Queries } from '../../src/store/database.js';
import { isPostgres } from '../../src/store/dialects.js';

export type Look = (queries: Queries) => Promise<unknown>;

/** In a plan of either database: a whole table is read, and not an index alone. */
export const READS_A_TABLE = /Seq Scan|SCAN (?!\w+ USING|piece$)/m;

/** How the database carries out each statement of a look, one text a statement. */
export async function plansOf(db: Database, look: Look): Promise<readonly string[]> {
  const statements: CompiledQuery[] = [];
  const plans = await db.transaction(async (queries) => {
    // A transaction has a connection of its own, which all its statements pass.
    const connection = await queries.getExecutor().provideConnection((given) => Promise.resolve(given));
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = (statement) => {
      statements.push(statement);
      return execute(statement);
    };
    await look(queries);
    connection.executeQuery = execute;
    // SQLite explains a statement that writes only outside of transactions.
    if (!isPostgres(queries)) return [];
    // An empty table is read as a whole for want of anything cheaper, whatever indexes there are.
    await sql`set local enable_seqscan = off`.execute(queries);
    await sql`set local enable_bitmapscan = off`.execute(queries);
    return explainAll(queries, statements);
  });
  return isPostgres(db.queries) ? plans : explainAll(db.queries, statements);
}

async function explainAll(
  queries: Queries,
  statements: readonly CompiledQuery[],
): Promise<readonly string[]> {
  const plans: string[] = [];
  for (const statement of statements) plans.push(await explain(queries, statement));
  return plans;
}

async function explain(queries: Queries, { sql: text, parameters }: CompiledQuery): Promise<string> {
  const postgres = isPostgres(queries);
  const [first = '', ...rest] = text.split(postgres ? /\$\d+/ : '?');
  const filled = rest.map((piece, place) => sql`${sql.lit(parameters[place])}${sql.raw(piece)}`);
  const verb = sql.raw(postgres ? 'explain ' : 'explain query plan ');
  const statement = sql<Record<string, unknown>>`${verb}${sql.raw(first)}${sql.join(filled, sql``)}`;
  const { rows } = await statement.execute(queries.withoutPlugins());
  return rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n');
}
