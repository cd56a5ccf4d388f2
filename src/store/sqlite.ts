/** The embedded database, made to share its file with other processes without standing still or losing a commit. */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import LibSql from 'libsql';

/** How long a statement stands at another process's lock, in milliseconds: the event loop stands still meanwhile. */
const BUSY_MS = 10;
/** How long it comes back to that lock, letting everything else run in between, before it gives up. */
const PATIENCE_MS = 3_000;
const PAUSE_MS = 10;
const OWNER_ONLY = 0o600;
/** At the start nothing else waits for the event loop yet. */
const OPEN_MS = 2_000;

/** The dialect for the file at this path; its directory is made. */
export function sqliteDialect(path: string): Dialect {
  return new SharedSqliteDialect({
    database: () => {
      mkdirSync(dirname(path), { recursive: true });
      return Promise.resolve(lockFirst(open(path)));
    },
  });
}

function open(path: string): LibSql.Database {
  // Names, addresses and order links are in it: it belongs to who runs the shop, and its side files follow its mode.
  closeSync(openSync(path, 'a', OWNER_ONLY));
  const database = new LibSql(path);
  database.pragma(`busy_timeout = ${OPEN_MS}`);
  database.pragma('journal_mode = WAL');
  // An order must be on the disk before its shopper leaves for the payment page.
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma(`busy_timeout = ${BUSY_MS}`);
  return database;
}

/**
 * Takes the lock for every write by a bare `exec` first. A prepared statement of libsql that meets another process's
 * lock stays open until it is collected as garbage, and until then no transaction of the connection can commit.
 */
function lockFirst(database: LibSql.Database): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      if (/^(?:begin|commit)\b/i.test(sql)) return bareStatement(() => database.exec(sql));
      if (/^rollback\b/i.test(sql)) return bareStatement(() => rollBack(database));
      const statement: SqliteStatement = database.prepare(sql);
      return database.inTransaction || /^select\b/i.test(sql) ? statement : locked(database, statement);
    },
  };
}

/** A full disk rolls back by itself: to ask for it again would be an error that hides the first. */
function rollBack(database: LibSql.Database): void {
  if (database.inTransaction) database.exec('rollback');
}

function bareStatement(run: () => void): SqliteStatement {
  return {
    reader: false,
    all: () => [],
    iterate: () => [].values(),
    run() {
      run();
      return { changes: 0, lastInsertRowid: 0 };
    },
  };
}

/** The statement in a transaction of its own. */
function locked(database: LibSql.Database, statement: SqliteStatement): SqliteStatement {
  function alone<T>(work: () => T): T {
    database.exec('begin immediate');
    try {
      const result = work();
      database.exec('commit');
      return result;
    } catch (error) {
      rollBack(database);
      throw error;
    }
  }
  return {
    reader: statement.reader,
    all: (parameters) => alone(() => statement.all(parameters)),
    run: (parameters) => alone(() => statement.run(parameters)),
    iterate: (parameters) => statement.iterate(parameters),
  };
}

/** Write transactions take their lock at the start, so that two processes queue up instead of failing half way. */
class SharedSqliteDriver extends SqliteDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      executeQuery: (query) => whenFree(() => connection.executeQuery(query)),
      streamQuery: (query, size) => connection.streamQuery(query, size),
    };
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/** Runs a statement again while another process holds the lock: one that was refused has done nothing. */
async function whenFree<T>(statement: () => Promise<T>): Promise<T> {
  const endsAt = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await statement();
    } catch (error) {
      if (!isBusy(error) || performance.now() > endsAt) throw error;
    }
    await delay(PAUSE_MS * (0.5 + Math.random()));
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}

type SqliteConfig = ConstructorParameters<typeof SqliteDialect>[0];

class SharedSqliteDialect extends SqliteDialect {
  readonly #config: SqliteConfig;

  constructor(config: SqliteConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): SqliteDriver {
    return new SharedSqliteDriver(this.#config);
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter();
  }
}

/** SQLite rolls DDL back like any write: migrations of several processes take turns in one transaction each. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
