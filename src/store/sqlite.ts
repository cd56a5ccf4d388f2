/** The embedded database, made to share its file with other processes without standing still or losing a commit. */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteDialect,
} from 'kysely';
import LibSql from 'libsql';
import { GroupCommit } from './group-commit.js';
import { KeptStatements } from './kept-statements.js';
import { SqliteNames } from './names.js';
import { whenFree } from './when-free.js';

/** How long a statement stands at another process's lock, in milliseconds: the event loop stands still meanwhile. */
const BUSY_MS = 2;
const OWNER_ONLY = 0o600;

/** The dialect for the file at this path; its directory is made. */
export function sqliteDialect(path: string): Dialect {
  return new EmbeddedDialect(path);
}

/** One connection writes; another reads, and sees nothing that the disk does not have yet. */
class Connections {
  readonly writer: LibSql.Database;
  readonly reader: LibSql.Database;
  readonly group: GroupCommit;
  readonly written: KeptStatements;
  readonly read: KeptStatements;

  constructor(writer: LibSql.Database, reader: LibSql.Database) {
    this.writer = writer;
    this.reader = reader;
    reader.pragma('query_only = ON');
    this.group = new GroupCommit(this.writer);
    this.written = new KeptStatements(this.writer);
    this.read = new KeptStatements(this.reader);
  }
}

async function connect(path: string): Promise<Connections> {
  mkdirSync(dirname(path), { recursive: true });
  // Names, addresses and order links are in it: it belongs to who runs the shop, and its side files follow its mode.
  closeSync(openSync(path, 'a', OWNER_ONLY));
  return new Connections(await whenFree(() => open(path)), await whenFree(() => open(path)));
}

function open(path: string): LibSql.Database {
  const database = new LibSql(path);
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

/** What one caller does with the database: single statements, or one transaction. */
class EmbeddedConnection implements DatabaseConnection {
  readonly #parts: Connections;
  #inTransaction: boolean = false;

  constructor(parts: Connections) {
    this.#parts = parts;
  }

  async begin(): Promise<void> {
    const { group } = this.#parts;
    await group.enter();
    try {
      await group.begin();
      this.#inTransaction = true;
    } catch (error) {
      group.leave();
      throw error;
    }
  }

  async commit(): Promise<void> {
    this.#inTransaction = false;
    await this.#parts.group.keep();
  }

  /** Nothing is left to take back after a commit that failed. */
  rollback(): void {
    if (this.#inTransaction) this.#parts.group.undo();
    this.#inTransaction = false;
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#inTransaction) return this.#write(sql, parameters);
    if (SelectQueryNode.is(query) || /^\s*(?:select|explain)\b/i.test(sql))
      return whenFree(() => this.#parts.read.run(sql, parameters));
    if (/^\s*pragma\b/i.test(sql)) return this.#alone(sql, parameters);
    return this.#writeAlone(sql, parameters);
  }

  /** Yields whole answers: an open cursor would show every other reader an old state of things. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery(query);
  }

  #write<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    const { writer, written, group } = this.#parts;
    // After a rollback that the database made by itself, each statement would be a transaction of its own.
    if (!writer.inTransaction) throw new Error('the transaction is over');
    try {
      return written.run(sql, parameters);
    } catch (error) {
      if (!writer.inTransaction) group.lose(error);
      throw error;
    }
  }

  async #writeAlone<R>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>> {
    const { group } = this.#parts;
    await group.enter();
    let result: QueryResult<R>;
    try {
      await group.join();
      result = this.#write(sql, parameters);
    } catch (error) {
      group.leave();
      throw error;
    }
    await group.written();
    return result;
  }

  async #alone<R>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>> {
    const { group, written } = this.#parts;
    await group.enter();
    try {
      await group.flush();
      return written.run(sql, parameters);
    } finally {
      group.leave();
    }
  }
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
