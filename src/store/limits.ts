import type pg from 'pg';
import { once } from '../core/once.js';

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

/** Its code is not loaded before the first try: the first pages are not counted and need not wait for it. */
export const loadCounters = () => import('rate-limiter-flexible');

/** In memory beside the embedded database, whose shop is one process; in PostgreSQL otherwise. */
export function limiters(pool: (() => Promise<pg.Pool>) | undefined): MakeLimiter {
  return (limit) => {
    const open = once(() => openCounter(limit, pool));
    return {
      async count(key) {
        const { counter, isRefusal } = await open();
        try {
          await counter.consume(key);
          return undefined;
        } catch (refusal) {
          if (isRefusal(refusal)) return Math.ceil(refusal.msBeforeNext / 1000);
          throw refusal;
        }
      },
    };
  };
}

async function openCounter({ name, most, seconds }: Limit, pool: (() => Promise<pg.Pool>) | undefined) {
  const { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } = await loadCounters();
  const memory = { keyPrefix: name, points: most, duration: seconds };
  const counter = pool
    ? new RateLimiterPostgres({
        ...memory,
        storeClient: await pool(),
        tableName: 'attempt_limits',
        tableCreated: true,
        // A database that does not answer must not stop the shop: each process then counts for itself.
        insuranceLimiter: new RateLimiterMemory(memory),
      })
    : new RateLimiterMemory(memory);
  const isRefusal = (thrown: unknown) => thrown instanceof RateLimiterRes;
  return { counter, isRefusal };
}
