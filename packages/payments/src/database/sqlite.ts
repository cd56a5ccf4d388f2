import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely';
import type LibSql from 'libsql';
import { LRUCache } from 'lru-cache';
import { SnakeCaseSqliteCompiler } from './column-names.js';
import { GroupCommit, type Member } from './group-commit.js';
import { lockDeadline, retryWhileBusy, type WriteLock } from './sqlite-lock.js';
import type { TransactionScopes } from './transaction-scope.js';

/** How long a statement blocks the event loop while another process holds the lock. */
const BUSY_TIMEOUT_MS = 2;
const OWNER_ONLY = 0o600;

/**
 * Returns the Kysely dialect for a SQLite file. Its driver uses group commit for write transactions. The first query
 * creates the file and its directory. `onError` receives rollback errors.
 */
export function sqliteDialect(path: string, onError: (error: unknown) => void, own: SqliteParts): Dialect {
  return {
    createDriver: () => createDriver(path, onError, own),
    createQueryCompiler: () => new SnakeCaseSqliteCompiler(),
    createAdapter: () => new TransactionalSqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

interface SqliteParts {
  readonly scopes: TransactionScopes;
  /** Held by the transaction that runs. */
  readonly lock: WriteLock;
}

/** SQLite supports transactional DDL, so several processes may migrate at the same time. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function createDriver(path: string, onError: (error: unknown) => void, { scopes, lock }: SqliteParts): Driver {
  let file: SqliteFile | undefined;
  return {
    async init() {
      file = await openFile(path, onError, lock);
    },
    async acquireConnection() {
      if (!file) throw new Error('the database is not open');
      scopes.current?.acquireConnection();
      return new SqliteConnection(file);
    },
    async beginTransaction(connection: SqliteConnection) {
      await connection.begin();
      scopes.current?.begin(() => connection.end());
    },
    commitTransaction: (connection: SqliteConnection) => connection.commit(),
    rollbackTransaction: async (connection: SqliteConnection) => connection.rollback(),
    releaseConnection: async (connection: SqliteConnection) => void connection.end(),
    /** Commits the open batch, then closes both handles. Queued callers are rejected. */
    async destroy() {
      await file?.group.runAlone(Number.POSITIVE_INFINITY, () => {
        file?.reader.close();
        file?.writer.close();
      });
    },
  };
}

async function openFile(path: string, onError: (error: unknown) => void, lock: WriteLock): Promise<SqliteFile> {
  mkdirSync(dirname(path), { recursive: true });
  // The file holds personal data. SQLite gives the WAL files the same mode.
  // To close a file that this process also has open as a database would end its locks.
  if (!existsSync(path)) closeSync(openSync(path, 'a', OWNER_ONLY));
  // Imported lazily: `libsql` is not needed with PostgreSQL.
  const { default: Database } = await import('libsql');
  const open = () => retryWhileBusy(() => configure(new Database(path)));
  const reader = await open();
  reader.pragma('query_only = ON');
  // 20 MB, for a search through all products. With the default of 2 MB it takes twice as long.
  reader.pragma('cache_size = -20000');
  const writer = await open();
  const group = new GroupCommit(writer, onError, lock);
  return { reader, writer, read: statementsOf(reader), write: statementsOf(writer), group };
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

/** Two handles of one file. The reader sees only committed rows, so a page never shows an order that is not on disk. */
interface SqliteFile {
  readonly reader: LibSql.Database;
  readonly writer: LibSql.Database;
  readonly read: RunStatement;
  readonly write: RunStatement;
  readonly group: GroupCommit;
}

/** The connection of one caller, for single statements or one transaction. */
class SqliteConnection implements DatabaseConnection {
  readonly #file: SqliteFile;
  #transaction: Member | undefined;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  async begin(): Promise<void> {
    this.#transaction = await this.#file.group.begin(lockDeadline());
  }

  async commit(): Promise<void> {
    if (this.#transaction) await this.#file.group.commit(this.#transaction);
  }

  rollback(): void {
    if (this.#transaction) this.#file.group.rollback(this.#transaction);
  }

  /** Ends a running transaction by force. Returns false if none runs. */
  end(): boolean {
    return this.#transaction !== undefined && this.#file.group.end(this.#transaction);
  }

  /** After the end of its transaction it runs no statement, so that a late one is never committed on its own. */
  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    const { group, read, write } = this.#file;
    if (this.#transaction) return group.execute(this.#transaction, () => write(sql, parameters));
    if (SelectQueryNode.is(query) || /^\s*(?:select|explain)\b/i.test(sql))
      return retryWhileBusy(() => read(sql, parameters));
    // SQLite refuses some pragmas inside a transaction.
    if (/^\s*pragma\b/i.test(sql)) return group.runAlone(lockDeadline(), () => write(sql, parameters));
    return this.#runInTransaction(sql, parameters);
  }

  /** Yields the whole result at once: an open cursor would hold the reader at an old snapshot. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery(query);
  }

  async #runInTransaction<R>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>> {
    const { group, write } = this.#file;
    const member = await group.begin(lockDeadline());
    try {
      const result = group.execute(member, () => write<R>(sql, parameters));
      await group.commit(member);
      return result;
    } catch (error) {
      group.rollback(member);
      throw error;
    }
  }
}

const MAX_STATEMENTS = 200;

type RunStatement = <R>(sql: string, parameters: readonly unknown[]) => QueryResult<R>;

interface PreparedStatement {
  readonly statement: LibSql.Statement;
  /** The names of its columns. Absent if it returns no rows. */
  readonly columns?: readonly string[];
}

/**
 * Returns a function that runs statements on one handle, with an LRU cache of prepared statements. SQLite takes about as
 * long to prepare a statement as to run it. The cache reduces the processor time of a checkout to 0.7 ×.
 */
function statementsOf(database: LibSql.Database): RunStatement {
  const prepared = new LRUCache<string, PreparedStatement>({
    max: MAX_STATEMENTS,
    memoMethod: (sql) => prepare(database, sql),
  });
  return <R>(sql: string, parameters: readonly unknown[]) => {
    const { statement, columns } = prepared.memo(sql);
    try {
      if (columns) return { rows: rowsOf(statement, columns, parameters) as R[] };
      const { changes, lastInsertRowid } = statement.run(parameters);
      return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
    } catch (error) {
      // The statement may still be open.
      prepared.delete(sql);
      throw error;
    }
  };
}

/** The driver takes about 10 µs to answer whether a statement returns rows, and 100 µs to list its columns. */
function prepare(database: LibSql.Database, sql: string): PreparedStatement {
  const statement = database.prepare(sql);
  return statement.reader ? { statement: statement.raw(), columns: columnsOf(statement) } : { statement };
}

function columnsOf(statement: LibSql.Statement): readonly string[] {
  return statement.columns().map(({ name }) => name);
}

/** Reads rows as arrays: the driver takes twice as long to make objects. */
function rowsOf(statement: LibSql.Statement, known: readonly string[], parameters: readonly unknown[]) {
  const rows = statement.all(parameters) as readonly unknown[][];
  // A migration of another process added columns.
  const columns = rows[0] && rows[0].length !== known.length ? columnsOf(statement) : known;
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let place = 0; place < columns.length; place += 1) row[columns[place] as string] = values[place];
    return row;
  });
}
