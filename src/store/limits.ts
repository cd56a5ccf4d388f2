import type pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

export interface Limit {
  readonly name: string;
  readonly most: number;
  readonly seconds: number;
}

/** Counts events by key; processes over one PostgreSQL count together. */
export interface Limiter {
  /** Counts one; says how many seconds to wait when the limit is passed, else `undefined`. */
  count(key: string): Promise<number | undefined>;
}

export type MakeLimiter = (limit: Limit) => Limiter;

/** In memory beside the embedded database, whose shop is one process; in PostgreSQL otherwise. */
export function limiters(pool: pg.Pool | undefined): MakeLimiter {
  return ({ name, most, seconds }) => {
    const memory = { keyPrefix: name, points: most, duration: seconds };
    const limiter = pool
      ? new RateLimiterPostgres({
          ...memory,
          storeClient: pool,
          tableName: 'attempt_limits',
          tableCreated: true,
          // A database that does not answer must not stop the shop: each process then counts for itself.
          insuranceLimiter: new RateLimiterMemory(memory),
        })
      : new RateLimiterMemory(memory);
    return {
      async count(key) {
        try {
          await limiter.consume(key);
          return undefined;
        } catch (refusal) {
          if (refusal instanceof RateLimiterRes) return Math.ceil(refusal.msBeforeNext / 1000);
          throw refusal;
        }
      },
    };
  };
}
