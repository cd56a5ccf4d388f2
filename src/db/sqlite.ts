import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Dialect, type Driver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type LibSql from 'libsql';
import { GroupCommit } from './group-commit.js';
import { PreparedStatements, SqliteConnection, type SqliteFile } from './sqlite-connection.js';
import { retryWhileBusy } from './sqlite-lock.js';

/** How long a statement blocks the event loop while another process holds the lock. */
const BUSY_TIMEOUT_MS = 2;
const OWNER_ONLY = 0o600;

/**
 * Returns the Kysely dialect for a SQLite file. Its driver uses group commit for write transactions. The first query
 * creates the file and its directory. `onError` receives rollback errors.
 */
export function sqliteDialect(path: string, onError: (error: unknown) => void): Dialect {
  return {
    createDriver: () => new SqliteFileDriver(() => openFile(path, onError)),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalSqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** SQLite supports transactional DDL, so several processes may migrate at the same time. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class SqliteFileDriver implements Driver {
  readonly #open: () => Promise<SqliteFile>;
  #file: SqliteFile | undefined;

  constructor(open: () => Promise<SqliteFile>) {
    this.#open = open;
  }

  async init(): Promise<void> {
    this.#file = await this.#open();
  }

  async acquireConnection(): Promise<SqliteConnection> {
    if (!this.#file) throw new Error('the database is not open');
    return new SqliteConnection(this.#file);
  }

  beginTransaction(connection: SqliteConnection): Promise<void> {
    return connection.begin();
  }

  commitTransaction(connection: SqliteConnection): Promise<void> {
    return connection.commit();
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    connection.rollback();
  }

  async releaseConnection(connection: SqliteConnection): Promise<void> {
    connection.rollback();
  }

  /** Commits the open batch, then closes both handles. Queued callers are rejected. */
  async destroy(): Promise<void> {
    const file = this.#file;
    await file?.group.runAlone(Number.POSITIVE_INFINITY, () => {
      file.reads.close();
      file.writes.close();
    });
  }
}

async function openFile(path: string, onError: (error: unknown) => void): Promise<SqliteFile> {
  mkdirSync(dirname(path), { recursive: true });
  // The file holds personal data. SQLite gives the WAL files the same mode.
  closeSync(openSync(path, 'a', OWNER_ONLY));
  // Imported lazily: `libsql` is not needed with PostgreSQL.
  const { default: Database } = await import('libsql');
  const open = () => retryWhileBusy(() => configure(new Database(path)));
  const reader = await open();
  reader.pragma('query_only = ON');
  const writer = await open();
  return {
    reads: new PreparedStatements(reader),
    writes: new PreparedStatements(writer),
    group: new GroupCommit(writer, onError),
  };
}

function configure(database: LibSql.Database): LibSql.Database {
  try {
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    database.pragma('journal_mode = WAL');
    // An order must be on disk before the customer leaves for the payment page.
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
