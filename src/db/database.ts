import { CamelCasePlugin, Kysely } from 'kysely';
import { dialectOf } from './dialects.js';
import { limiters, type MakeLimiter } from './limits.js';
import { runMigrations } from './run-migrations.js';
import type { Schema } from './schema.js';

/** The database, or one transaction. */
export type Queries = Kysely<Schema>;

/** Selects at most `limit` rows that are due at `at`. No other worker gets them before `leaseUntil`. */
export interface Lease {
  readonly at: number;
  readonly leaseUntil: number;
  readonly limit: number;
}

/** Disposal closes every connection. */
export interface Database extends AsyncDisposable {
  /** Statements outside of a transaction. */
  readonly queries: Queries;
  /** Runs `work` in a transaction. `work` must not wait for anything except the database, because it holds locks. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Runs the missing migrations. Safe to call from several processes at the same time. */
  migrate(): Promise<void>;
  readonly limiter: MakeLimiter;
  /** Throws unless the database answers. */
  ping(): Promise<void>;
}

/**
 * Opens `file:…` (SQLite) or `postgres://…`. The first query connects. `onError` receives errors that no query reports,
 * such as a lost idle connection or a failed rollback.
 */
export function openDatabase(url: string, onError: (error: unknown) => void): Database {
  const { dialect, pool } = dialectOf(url, onError);
  const kysely = new Kysely<Schema>({ dialect, plugins: [new CamelCasePlugin()] });
  return {
    queries: kysely,
    limiter: limiters(pool),
    transaction: (work) => kysely.transaction().execute(work),
    migrate: () => runMigrations(kysely),
    async ping() {
      await kysely.selectFrom('carts').select('id').limit(1).execute();
    },
    async [Symbol.asyncDispose]() {
      await kysely.destroy();
    },
  };
}
