import { type Kysely, sql } from 'kysely';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { once, type Pool } from './dialects.js';
import { TransactionScopes } from './transaction-scope.js';

/** A rate limit: at most `max` events per key in `seconds`. */
export interface Limit {
  readonly name: string;
  readonly max: number;
  readonly seconds: number;
}

/**
 * Rate limiter by key. Processes that use one PostgreSQL database share their counts.
 */
export interface Limiter<Key = string> {
  /** Counts one event. Returns the seconds to wait when the limit is exceeded, else `undefined`. */
  readonly count: (key: Key) => Promise<number | undefined>;
  /** Returns the seconds to wait if the next event would exceed the limit, else `undefined`. Counts nothing. */
  readonly peek: (key: Key) => Promise<number | undefined>;
  /** Returns how many events are counted. */
  readonly used: (key: Key) => Promise<number>;
  /** Takes back one counted event. */
  readonly uncount: (key: Key) => Promise<void>;
  readonly reset: (key: Key) => Promise<void>;
}

export type MakeLimiter<Key = string> = (limit: Limit) => Limiter<Key>;

/**
 * Counts in PostgreSQL if there is a pool, else in memory: a program with SQLite is one process. Each method throws inside of a
 * transaction of the database, because it would wait for another connection while the transaction holds its locks.
 */
export function limiters(
  pool: (() => Promise<Pool>) | undefined,
  scopes = new TransactionScopes(),
  tablePrefix = '',
): MakeLimiter {
  return (limit) => {
    const openOnce = once(() => openCounter(limit, pool, limitTable(tablePrefix)));
    const open = async () => {
      scopes.refuseInside();
      return openOnce();
    };
    return {
      async count(key) {
        const counter = await open();
        try {
          await counter.consume(key);
          return undefined;
        } catch (refusal) {
          if (refusal instanceof RateLimiterRes) return Math.ceil(refusal.msBeforeNext / 1000);
          throw refusal;
        }
      },
      async peek(key) {
        const counter = await open();
        const state = await counter.get(key);
        return state && state.remainingPoints <= 0 ? Math.ceil(state.msBeforeNext / 1000) : undefined;
      },
      async used(key) {
        const counter = await open();
        return (await counter.get(key))?.consumedPoints ?? 0;
      },
      async uncount(key) {
        const counter = await open();
        await counter.reward(key);
      },
      async reset(key) {
        const counter = await open();
        await counter.delete(key);
      },
    };
  };
}

export const limitTable = (tablePrefix: string) => `${tablePrefix}attempt_limits`;

/** The columns are those of `rate-limiter-flexible`. */
export const createLimitTableSql = (tablePrefix: string) => `create table if not exists ${limitTable(tablePrefix)} (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
)`;

/**
 * Creates the table of the limits in PostgreSQL if it is missing. A role that may not create tables can use a database that
 * has it.
 */
export async function createLimitTable<T>(db: Kysely<T>, tablePrefix: string): Promise<void> {
  const table = limitTable(tablePrefix);
  const { rows } = await sql<{ found: string | null }>`select to_regclass(${table})::text as found`.execute(db);
  if (!rows[0]?.found) await sql.raw(createLimitTableSql(tablePrefix)).execute(db);
}

async function openCounter({ name, max, seconds }: Limit, pool: (() => Promise<Pool>) | undefined, tableName: string) {
  const memory = { keyPrefix: name, points: max, duration: seconds };
  if (!pool) return new RateLimiterMemory(memory);
  const reads = await pool();
  return new RateLimiterPostgres({
    ...memory,
    // Without the name of its prepared statement, which PgBouncer before 1.21 does not know on its other connections.
    storeClient: { query: ({ text, values }: Parameters<Pool['query']>[0]) => reads.query({ text, values }) },
    storeType: 'client',
    tableName,
    tableCreated: true,
    // A key above its limit is refused from memory, without a query.
    inMemoryBlockOnConsumed: max + 1,
    // Fallback when the database does not answer: each process counts in memory.
    insuranceLimiter: new RateLimiterMemory(memory),
  });
}
