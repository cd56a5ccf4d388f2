import { type Dialect, Kysely } from 'kysely';
import { camelCaseResults } from './column-names.js';
import { setTablePrefix } from './database-prefix.js';
import { dialectOf, migrationDialect } from './dialects.js';
import { createLimitTable, limiters, type MakeLimiter } from './limits.js';
import { type MigrationSet, runMigrations } from './run-migrations.js';
import { type PartResult, refuseAfterRollback, runPart, savepointPlugin } from './savepoint.js';
import { findOtherEncoding, otherEncodingText } from './server-encoding.js';
import { TRANSACTION_LIMITS, type TransactionLimits, type TransactionScopes } from './transaction-scope.js';

/** One transaction on tables `T`. A try that is repeated is another transaction, without the hooks of the one before. */
export interface Tx<T> extends Kysely<T> {
  /**
   * Registers a hook for logs and metrics. The hooks run in this order when the commit is on disk, and never after a
   * rollback. They are synchronous and get no queries: what must happen is an outbox row. Their errors are not thrown.
   */
  onCommit(hook: () => void): void;
  /**
   * Runs a part of the transaction in a savepoint. If it throws, or takes longer than `partMs`, its writes and hooks are rolled back,
   * its later statements are refused, and the transaction goes on. Throws if the whole transaction must be repeated.
   */
  savepoint<R>(work: () => Promise<R>): Promise<PartResult<R>>;
}

/** Selects at most `limit` rows that are due at `at`. No other worker gets them before `leaseUntil`. */
export interface Lease {
  readonly at: number;
  readonly leaseUntil: number;
  readonly limit: number;
}

/** A database with tables `T`. Disposal closes every connection. */
export interface DatabaseOf<T> extends AsyncDisposable {
  /** Statements outside of a transaction. Inside of one they are refused. */
  readonly queries: Kysely<T>;
  /**
   * Runs `work` in a transaction. `work` must not wait for anything except the database, because it holds locks. A transaction
   * that exceeds its limits is ended by force: it rejects, and its later statements throw.
   */
  transaction<R>(work: (tx: Tx<T>) => Promise<R>, limits?: TransactionLimits): Promise<R>;
  /**
   * Runs the missing migrations, and creates the table of the limits. Safe to call from several processes at the same time.
   * On a database of a newer version it runs none of that set, and returns the names of those that only the newer version has.
   * Throws if such a database also lacks one of this version, or does not store text as UTF-8.
   */
  migrate(): Promise<readonly string[]>;
  /** Limits by a text. */
  readonly limiter: MakeLimiter;
  /** Milliseconds since a transaction of this process acquired the write lock of SQLite. 0 if none has it. */
  lockHeldMs(): number;
}

export type DatabaseEvent = 'database.connection_lost' | 'database.commit_hook_failed';

/** Receives errors that no query reports: a lost idle connection, a failed rollback, or an error of a commit hook. */
export type OnError = (error: unknown, event: DatabaseEvent) => void;

interface DatabaseOptions {
  readonly onError: OnError;
  /** In the order in which they run. */
  readonly migrations: readonly MigrationSet[];
}

/** Opens `file:…` (SQLite) or `postgres://…`. The first query connects. */
export function openDatabaseOf<T>(url: string, options: DatabaseOptions): DatabaseOf<T> {
  return openWithPrefix(url, options, '');
}

/** Opens a database in which the tables of the payments have a prefix. Empty: none. */
export function openWithPrefix<T>(
  url: string,
  { onError, migrations }: DatabaseOptions,
  tablePrefix: string,
): DatabaseOf<T> {
  const { dialect, scopes, pool, lockHeldMs } = dialectOf(url, (error) => onError(error, 'database.connection_lost'));
  const kysely = openKysely<T>(dialect);
  setTablePrefix(kysely, tablePrefix);
  return {
    queries: kysely,
    limiter: limiters(pool, scopes, tablePrefix),
    transaction: (work, limits = TRANSACTION_LIMITS) => runTransaction({ kysely, scopes, limits, onError }, work),
    migrate: () => (pool ? migratePostgres(url, migrations, tablePrefix) : runMigrations(kysely, migrations)),
    lockHeldMs,
    async [Symbol.asyncDispose]() {
      await kysely.destroy();
    },
  };
}

function openKysely<T>(dialect: Dialect): Kysely<T> {
  return new Kysely<T>({ dialect, plugins: [savepointPlugin, camelCaseResults] });
}

/** Migrations have limits of their own, and so a connection of their own. */
async function migratePostgres(
  url: string,
  migrations: readonly MigrationSet[],
  tablePrefix: string,
): Promise<readonly string[]> {
  const kysely = openKysely<unknown>(migrationDialect(url));
  try {
    const encoding = await findOtherEncoding(kysely);
    if (encoding !== undefined) throw new Error(otherEncodingText(encoding));
    const unknown = await runMigrations(kysely, migrations);
    await createLimitTable(kysely, tablePrefix);
    return unknown;
  } finally {
    await kysely.destroy();
  }
}

interface TransactionParts<T> {
  readonly kysely: Kysely<T>;
  readonly scopes: TransactionScopes;
  readonly limits: TransactionLimits;
  readonly onError: OnError;
}

async function runTransaction<T, R>(
  { kysely, scopes, limits, onError }: TransactionParts<T>,
  work: (tx: Tx<T>) => Promise<R>,
): Promise<R> {
  const hooks: (() => void)[] = [];
  const onCommit = (hook: () => void) => {
    refuseAfterRollback();
    hooks.push(hook);
  };
  const result = await scopes.run(limits, () =>
    kysely.transaction().execute((tx) => {
      const savepoint = async <P>(part: () => Promise<P>) => {
        const { length } = hooks;
        const done = await runPart(tx, part, limits.partMs);
        if (!done.ok) hooks.length = length;
        return done;
      };
      return work(Object.assign(tx, { onCommit, savepoint }));
    }),
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
