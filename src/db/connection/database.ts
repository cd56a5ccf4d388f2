import { CamelCasePlugin, type Dialect, Kysely } from 'kysely';
import type { LogEvent } from '../../domain/event-log.js';
import { runMigrations } from '../run-migrations.js';
import type { Schema } from '../schema.js';
import { dialectOf, migrationDialect } from './dialects.js';
import { limiters, type MakeLimiter } from './limits.js';
import { findOtherEncoding, otherEncodingText } from './server-encoding.js';
import { TRANSACTION_LIMITS, type TransactionLimits, type TransactionScopes } from './transaction-scope.js';

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
  /** Statements outside of a transaction. Inside of one they are refused. */
  readonly queries: Queries;
  /**
   * Runs `work` in a transaction. `work` must not wait for anything except the database, because it holds locks. A transaction
   * that exceeds its limits is ended by force: it rejects, and its later statements throw.
   */
  transaction<T>(work: (queries: Transaction) => Promise<T>, limits?: TransactionLimits): Promise<T>;
  /**
   * Runs the missing migrations. Safe to call from several processes at the same time. Throws if the database does not store
   * text as UTF-8.
   */
  migrate(): Promise<void>;
  readonly limiter: MakeLimiter;
  /** Throws unless the database answers. */
  ping(): Promise<void>;
  /** Milliseconds since a transaction of this process acquired the write lock of SQLite. 0 if none has it. */
  lockHeldMs(): number;
}

/** Receives errors that no query reports: a lost idle connection, a failed rollback, or an error of a commit hook. */
type OnError = (error: unknown, event: Extract<LogEvent, `database.${string}`>) => void;

/** Opens `file:…` (SQLite) or `postgres://…`. The first query connects. */
export function openDatabase(url: string, onError: OnError): Database {
  const { dialect, scopes, pool, lockHeldMs } = dialectOf(url, (error) => onError(error, 'database.connection_lost'));
  const kysely = openKysely(dialect);
  return {
    queries: kysely,
    limiter: limiters(pool, scopes),
    transaction: (work, limits = TRANSACTION_LIMITS) => runTransaction({ kysely, scopes, limits, onError }, work),
    migrate: () => (pool ? migratePostgres(url) : runMigrations(kysely)),
    async ping() {
      await kysely.selectFrom('carts').select('id').limit(1).execute();
    },
    lockHeldMs,
    async [Symbol.asyncDispose]() {
      await kysely.destroy();
    },
  };
}

function openKysely(dialect: Dialect): Queries {
  return new Kysely<Schema>({ dialect, plugins: [new CamelCasePlugin()] });
}

/** Migrations have limits of their own, and so a connection of their own. */
async function migratePostgres(url: string): Promise<void> {
  const kysely = openKysely(migrationDialect(url));
  try {
    const encoding = await findOtherEncoding(kysely);
    if (encoding !== undefined) throw new Error(otherEncodingText(encoding));
    await runMigrations(kysely);
  } finally {
    await kysely.destroy();
  }
}

interface TransactionParts {
  readonly kysely: Queries;
  readonly scopes: TransactionScopes;
  readonly limits: TransactionLimits;
  readonly onError: OnError;
}

async function runTransaction<T>(
  { kysely, scopes, limits, onError }: TransactionParts,
  work: (queries: Transaction) => Promise<T>,
): Promise<T> {
  const hooks: (() => void)[] = [];
  const onCommit = (hook: () => void) => {
    hooks.push(hook);
  };
  const result = await scopes.run(limits, () =>
    kysely.transaction().execute((queries) => work(Object.assign(queries, { onCommit }))),
  );
  // The hooks run outside of the transaction.
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
