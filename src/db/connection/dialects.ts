import { Socket } from 'node:net';
import { type Dialect, type Kysely, PostgresAdapter, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { sqliteDialect } from './sqlite.js';

const POOL_SIZE = 10;
const POOL_WAIT_MS = 3_000;
const STATEMENT_MS = 10_000;
/** Above the limit of a statement, so that only a server or network that stopped answering is cut off. */
const SILENCE_MS = 12_000;

/** Whether the database is PostgreSQL. */
// biome-ignore lint/suspicious/noExplicitAny: any schema, as in Kysely's own types.
export function isPostgres(db: Kysely<any>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Returns the Kysely dialect of a URL: `file:…` is SQLite, `postgres://…` a connection pool. */
export function dialectOf(
  url: string,
  onError: (error: unknown) => void,
): { readonly dialect: Dialect; readonly pool?: () => Promise<pg.Pool> } {
  if (url.startsWith('file:')) return { dialect: sqliteDialect(url.slice('file:'.length), onError) };
  const pool = once(() => createPool(url, onError));
  return { dialect: new PostgresDialect({ pool }), pool };
}

/** Imported lazily: `pg` is not needed with SQLite. */
async function createPool(url: string, onError: (error: unknown) => void): Promise<pg.Pool> {
  const { default: pg } = await import('pg');
  // Centavos and milliseconds fit a double exactly. By default pg returns 64-bit integers as text.
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: POOL_WAIT_MS,
    statement_timeout: STATEMENT_MS,
    stream: createSocket,
    types,
  });
  // A broken connection emits `error`, even during a transaction. Without a listener the process would exit.
  pool.on('connect', (client) => client.on('error', onError));
  // The pool emits the errors of idle connections a second time.
  pool.on('error', () => {});
  return pool;
}

/** The server enforces the limit of a statement. Without it a lost network would hold a request for 15 min. */
function createSocket(): Socket {
  const socket = new Socket();
  return socket.setTimeout(SILENCE_MS, () => socket.destroy());
}

/** Memoizes a function without arguments. */
export function once<T extends object>(work: () => T): () => T {
  let result: T | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
