import type pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { CLIENT_LEVELS, type ClientKeys } from '../../domain/stock.js';
import { once } from './dialects.js';
import { TransactionScopes } from './transaction-scope.js';

/** A rate limit: at most `max` events per key in `seconds`. */
export interface Limit {
  readonly name: string;
  readonly max: number;
  readonly seconds: number;
}

/** What events are counted for: a text, or a client, which is counted by its address and by the networks around it. */
export type LimitKey = string | ClientKeys;

/**
 * Rate limiter by key. Processes that use one PostgreSQL database share their counts. The networks of a client may do 2
 * and 4 times as much as its address. An event that a narrower limit refuses is not counted by a wider one.
 */
export interface Limiter<Key = LimitKey> {
  /** Counts one event. Returns the seconds to wait when the limit is exceeded, else `undefined`. */
  count(key: Key): Promise<number | undefined>;
  /** Returns the seconds to wait if the next event would exceed the limit, else `undefined`. Counts nothing. */
  peek(key: Key): Promise<number | undefined>;
  /** Returns how many events are counted. Those of a network count by what it may do more than its addresses. */
  used(key: Key): Promise<number>;
  /** Takes back one counted event. */
  uncount(key: Key): Promise<void>;
  reset(key: Key): Promise<void>;
}

export type MakeLimiter = (limit: Limit) => Limiter;

/**
 * Counts in PostgreSQL if there is a pool, else in memory: a shop with SQLite is one process. Each method throws inside of a
 * transaction of the database, because it would wait for another connection while the transaction holds its locks.
 */
export function limiters(pool: (() => Promise<pg.Pool>) | undefined, scopes = new TransactionScopes()): MakeLimiter {
  const makeLimiter = (limit: Limit): Limiter<string> => {
    const openOnce = once(() => openCounter(limit, pool));
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
  return (limit) => byLevel(limit, makeLimiter);
}

/** A text has the limit of an address. */
function byLevel(limit: Limit, makeLimiter: (limit: Limit) => Limiter<string>): Limiter {
  const levels = CLIENT_LEVELS.map(({ member, factor }) => ({
    factor,
    keyOf: (key: LimitKey) => (typeof key === 'object' ? key[member] || undefined : factor === 1 ? key : undefined),
    limiter: makeLimiter({ ...limit, max: limit.max * factor }),
  }));
  const levelsOf = (key: LimitKey) =>
    levels.flatMap(({ keyOf, limiter, factor }) => {
      const name = keyOf(key);
      return name === undefined ? [] : [{ limiter, factor, name }];
    });
  const firstRefusal = async (use: 'count' | 'peek', key: LimitKey) => {
    for (const { limiter, name } of levelsOf(key)) {
      const seconds = await limiter[use](name);
      if (seconds !== undefined) return seconds;
    }
    return undefined;
  };
  const onEach = async (use: 'uncount' | 'reset', key: LimitKey) => {
    for (const { limiter, name } of levelsOf(key)) await limiter[use](name);
  };
  return {
    count: (key) => firstRefusal('count', key),
    peek: (key) => firstRefusal('peek', key),
    async used(key) {
      const uses = levelsOf(key).map(async ({ limiter, factor, name }) => (await limiter.used(name)) / factor);
      return Math.ceil(Math.max(...(await Promise.all(uses))));
    },
    uncount: (key) => onEach('uncount', key),
    reset: (key) => onEach('reset', key),
  };
}

async function openCounter({ name, max, seconds }: Limit, pool: (() => Promise<pg.Pool>) | undefined) {
  const memory = { keyPrefix: name, points: max, duration: seconds };
  if (!pool) return new RateLimiterMemory(memory);
  const reads = await pool();
  return new RateLimiterPostgres({
    ...memory,
    // Without the name of its prepared statement, which PgBouncer before 1.21 does not know on its other connections.
    storeClient: { query: ({ text, values }: pg.QueryConfig) => reads.query({ text, values }) },
    storeType: 'client',
    tableName: 'attempt_limits',
    tableCreated: true,
    // A key above its limit is refused from memory, without a query.
    inMemoryBlockOnConsumed: max + 1,
    // Fallback when the database does not answer: each process counts in memory.
    insuranceLimiter: new RateLimiterMemory(memory),
  });
}
