import { Socket } from 'node:net';
import { type Dialect, type Kysely, PostgresAdapter } from 'kysely';
import type pg from 'pg';
import { beginWithLimits, type Pools, postgresDialect } from './postgres.js';
import { sqliteDialect } from './sqlite.js';
import { WriteLock } from './sqlite-lock.js';
import { TRANSACTION_LIMITS, type TransactionLimits, TransactionScopes } from './transaction-scope.js';

const TRANSACTIONS_SIZE = 10;
const READS_SIZE = 5;
const POOL_WAIT_MS = 3_000;
/** Above the limit of a statement, so that only a server or network that stopped answering, and statements behind a pooler, are cut off. */
const SILENCE_MS = 12_000;

/** A migration may rewrite a large table, or wait for that of another process. */
const MIGRATION_MS = 15 * 60_000;
const MIGRATION_LIMITS: TransactionLimits = {
  totalMs: MIGRATION_MS,
  statementMs: MIGRATION_MS,
  lockMs: 20_000,
  idleMs: 60_000,
  partMs: 60_000,
};
/** Arbitrary, but the same in every process of the shop. */
const MIGRATION_LOCK = 7_236_402;

/** Whether the database is PostgreSQL. */
// biome-ignore lint/suspicious/noExplicitAny: any schema, as in Kysely's own types.
export function isPostgres(db: Kysely<any>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** What the limits use of a pool of `pg`. A host of SQLite has no types of that package. */
export interface Pool {
  query(statement: { readonly text: string; readonly values: unknown[] }): Promise<unknown>;
}

export interface OpenedDialect {
  readonly dialect: Dialect;
  readonly scopes: TransactionScopes;
  /** The pool for single statements. Absent for SQLite. */
  readonly pool?: () => Promise<Pool>;
  /** Milliseconds since a transaction of this process acquired the write lock of SQLite. 0 if none has it. */
  readonly lockHeldMs: () => number;
}

/** Returns the Kysely dialect of a URL: `file:…` is SQLite, `postgres://…` two connection pools. */
export function dialectOf(url: string, onError: (error: unknown) => void): OpenedDialect {
  const scopes = new TransactionScopes();
  if (url.startsWith('file:')) {
    const lock = new WriteLock();
    const dialect = sqliteDialect(url.slice('file:'.length), onError, { scopes, lock });
    return { dialect, scopes, lockHeldMs: () => lock.heldMs };
  }
  const options = { silenceMs: SILENCE_MS, limits: TRANSACTION_LIMITS };
  const pools = once(async () => ({
    transactions: await createPool(url, onError, { ...options, max: TRANSACTIONS_SIZE }),
    reads: await createPool(url, onError, { ...options, max: READS_SIZE }),
  }));
  const dialect = postgresDialect({ pools, scopes, begin: beginWithLimits });
  return { dialect, scopes, pool: async () => (await pools()).reads, lockHeldMs: () => 0 };
}

/** Returns the dialect with which migrations run. Their transaction waits for that of another process. */
export function migrationDialect(url: string): Dialect {
  const pools = once(async (): Promise<Pools> => {
    const pool = await createPool(url, () => {}, { max: 1, silenceMs: MIGRATION_MS });
    return { transactions: pool, reads: pool };
  });
  const locks = [
    `begin; set local lock_timeout = ${MIGRATION_MS}`,
    `select pg_advisory_xact_lock(${MIGRATION_LOCK})`,
    beginWithLimits(MIGRATION_LIMITS).replace(/^begin; /, ''),
  ];
  return postgresDialect({ pools, scopes: new TransactionScopes(), begin: () => locks.join('; ') });
}

interface PoolOptions {
  readonly max: number;
  /** A connection that waits longer for an answer is closed. */
  readonly silenceMs: number;
  /** The limits of statements outside of transactions. */
  readonly limits?: TransactionLimits;
}

/**
 * Makes the server limit the statements of a connection. Behind a connection pooler, which gives its client another process
 * id than the server has, it changes nothing, because the settings would stay for other programs.
 */
async function limitStatements(client: pg.ClientBase, { statementMs, lockMs }: TransactionLimits): Promise<void> {
  // Part of the protocol, and missing in the types.
  const { processID } = client as pg.ClientBase & { readonly processID?: number };
  const set = "set_config('statement_timeout', $2, false) || set_config('lock_timeout', $3, false)";
  const values = [processID, String(statementMs), String(lockMs)];
  await client.query(`select case when pg_backend_pid() = $1 then ${set} end`, values);
}

/** Imported lazily: `pg` is not needed with SQLite. */
async function createPool(
  url: string,
  onError: (error: unknown) => void,
  { max, silenceMs, limits }: PoolOptions,
): Promise<pg.Pool> {
  const { default: pg } = await import('pg');
  // Centavos and milliseconds fit a double exactly. By default pg returns 64-bit integers as text.
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: POOL_WAIT_MS,
    // Without the limit a lost network would hold a request for 15 min.
    stream: () => {
      const socket = new Socket();
      return socket.setTimeout(silenceMs, () => socket.destroy());
    },
    types,
    ...(limits && { onConnect: (client) => limitStatements(client, limits) }),
  });
  // A broken connection emits `error`, even during a transaction. Without a listener the process would exit.
  pool.on('connect', (client) => client.on('error', onError));
  // The pool emits the errors of idle connections a second time.
  pool.on('error', () => {});
  return pool;
}

/** Memoizes a function without arguments. */
export function once<T extends object>(work: () => T): () => T {
  let result: T | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
