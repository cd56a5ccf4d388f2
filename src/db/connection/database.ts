import { CamelCasePlugin, Kysely } from 'kysely';
import type { LogEvent } from '../../domain/event-log.js';
import { runMigrations } from '../run-migrations.js';
import type { Schema } from '../schema.js';
import { dialectOf } from './dialects.js';
import { limiters, type MakeLimiter } from './limits.js';

/** The database, or one transaction. */
export type Queries = Kysely<Schema>;

/** One transaction. A try that is repeated is another transaction, without the hooks of the one before. */
export interface Transaction extends Queries {
  /**
   * Registers a hook for logs and metrics. The hooks run in this order when the commit is on disk, and never after a
   * rollback. They are synchronous and get no queries: what must happen is an outbox row. Their errors are not thrown.
   */
  onCommit(hook: () => void): void;
}

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
  transaction<T>(work: (queries: Transaction) => Promise<T>): Promise<T>;
  /** Runs the missing migrations. Safe to call from several processes at the same time. */
  migrate(): Promise<void>;
  readonly limiter: MakeLimiter;
  /** Throws unless the database answers. */
  ping(): Promise<void>;
}

/** Receives errors that no query reports: a lost idle connection, a failed rollback, or an error of a commit hook. */
type OnError = (error: unknown, event: Extract<LogEvent, `database.${string}`>) => void;

/** Opens `file:…` (SQLite) or `postgres://…`. The first query connects. */
export function openDatabase(url: string, onError: OnError): Database {
  const { dialect, pool } = dialectOf(url, (error) => onError(error, 'database.connection_lost'));
  const kysely = new Kysely<Schema>({ dialect, plugins: [new CamelCasePlugin()] });
  return {
    queries: kysely,
    limiter: limiters(pool),
    transaction: (work) => runTransaction(kysely, work, onError),
    migrate: () => runMigrations(kysely),
    async ping() {
      await kysely.selectFrom('carts').select('id').limit(1).execute();
    },
    async [Symbol.asyncDispose]() {
      await kysely.destroy();
    },
  };
}

async function runTransaction<T>(
  kysely: Queries,
  work: (queries: Transaction) => Promise<T>,
  onError: OnError,
): Promise<T> {
  const hooks: (() => void)[] = [];
  const onCommit = (hook: () => void) => {
    hooks.push(hook);
  };
  const result = await kysely.transaction().execute((queries) => work(Object.assign(queries, { onCommit })));
  for (const hook of hooks) {
    try {
      hook();
    } catch (error) {
      // The rows are stored, so the caller must not see a failed transaction.
      onError(error, 'database.commit_hook_failed');
    }
  }
  return result;
}
