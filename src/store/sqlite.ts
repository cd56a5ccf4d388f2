/** The embedded database, made to share its file with other processes without standing still or losing a commit. */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Dialect, type Driver, SqliteAdapter, SqliteDialect } from 'kysely';
import type LibSql from 'libsql';
import { SqliteNames } from './names.js';
import { Connections, EmbeddedConnection } from './sqlite-connection.js';
import { whenFree } from './when-free.js';

/** How long a statement stands at another process's lock, in milliseconds: the event loop stands still meanwhile. */
const BUSY_MS = 2;
const OWNER_ONLY = 0o600;

/** The dialect for the file at this path; its directory is made. */
export function sqliteDialect(path: string): Dialect {
  return new EmbeddedDialect(path);
}

async function connect(path: string): Promise<Connections> {
  mkdirSync(dirname(path), { recursive: true });
  // Names, addresses and order links are in it: it belongs to who runs the shop, and its side files follow its mode.
  closeSync(openSync(path, 'a', OWNER_ONLY));
  // Loaded by who needs it: a shop on PostgreSQL starts without it.
  const { default: Driver } = await import('libsql');
  const open = () => whenFree(() => prepared(new Driver(path)));
  return new Connections(await open(), await open());
}

function prepared(database: LibSql.Database): LibSql.Database {
  try {
    return prepare(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepare(database: LibSql.Database): LibSql.Database {
  database.pragma(`busy_timeout = ${BUSY_MS}`);
  database.pragma('journal_mode = WAL');
  // An order must be on the disk before its shopper leaves for the payment page.
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  return database;
}

class EmbeddedDriver implements Driver {
  readonly #path: string;
  #parts: Connections | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async init(): Promise<void> {
    this.#parts = await connect(this.#path);
  }

  acquireConnection(): Promise<EmbeddedConnection> {
    if (!this.#parts) throw new Error('the database is not open');
    return Promise.resolve(new EmbeddedConnection(this.#parts));
  }

  beginTransaction(connection: EmbeddedConnection): Promise<void> {
    return connection.begin();
  }

  commitTransaction(connection: EmbeddedConnection): Promise<void> {
    return connection.commit();
  }

  rollbackTransaction(connection: EmbeddedConnection): Promise<void> {
    connection.rollback();
    return Promise.resolve();
  }

  releaseConnection(connection: EmbeddedConnection): Promise<void> {
    connection.rollback();
    return Promise.resolve();
  }

  async destroy(): Promise<void> {
    if (!this.#parts) return;
    const { group, reader, writer } = this.#parts;
    await group.enter();
    await group.flush();
    reader.close();
    writer.close();
    // Whoever still waits hears that it is closed.
    group.leave();
  }
}

class EmbeddedDialect extends SqliteDialect {
  readonly #path: string;

  constructor(path: string) {
    super({ database: () => Promise.reject(new Error('the driver opens it')) });
    this.#path = path;
  }

  override createDriver(): Driver {
    return new EmbeddedDriver(this.#path);
  }

  override createQueryCompiler(): SqliteNames {
    return new SqliteNames();
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
