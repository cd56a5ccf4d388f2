import { type Dialect, type Kysely, PostgresAdapter, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { once } from '../core/once.js';
import { namedStatements } from './named-statements.js';
import { PostgresNames } from './names.js';
import { sqliteDialect } from './sqlite.js';

const POOL_SIZE = 10;
const POOL_WAIT_MS = 3_000;
const STATEMENT_MS = 10_000;

/** Whether these queries go to PostgreSQL. */
// biome-ignore lint/suspicious/noExplicitAny: Kysely's own way to write "whatever the schema".
export function isPostgres(db: Kysely<any>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** What is behind a database address: `file:…` is the embedded SQLite, `postgres://…` a pool of PostgreSQL. */
export function connect(
  url: string,
  onLost: (error: Error) => void,
): { readonly dialect: Dialect; readonly pool?: () => Promise<pg.Pool> } {
  if (url.startsWith('file:')) return { dialect: sqliteDialect(url.slice('file:'.length)) };
  const pool = once(() => postgresPool(url, onLost));
  return { dialect: new SharedDialect({ pool: async () => namedStatements(await pool()) }), pool };
}

class SharedDialect extends PostgresDialect {
  override createQueryCompiler(): PostgresNames {
    return new PostgresNames();
  }
}

/** The driver is loaded by who needs it: a shop on the embedded database starts without it. */
async function postgresPool(url: string, onLost: (error: Error) => void): Promise<pg.Pool> {
  const { default: pg } = await import('pg');
  // Centavos and milliseconds fit a double exactly; pg would hand 64-bit numbers out as text.
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: POOL_WAIT_MS,
    statement_timeout: STATEMENT_MS,
    types,
  });
  // A connection that breaks emits, idle or in the middle of a transaction; unheard, it would end the process.
  pool.on('connect', (client) => client.on('error', onLost));
  // The pool repeats what its idle connections said.
  pool.on('error', () => {});
  return pool;
}
