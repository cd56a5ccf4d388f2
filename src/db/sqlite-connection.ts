import { type CompiledQuery, type DatabaseConnection, type QueryResult, SelectQueryNode } from 'kysely';
import type LibSql from 'libsql';
import { LRUCache } from 'lru-cache';
import type { GroupCommit } from './group-commit.js';
import { lockDeadline, retryWhileBusy } from './sqlite-lock.js';

const MAX_STATEMENTS = 200;

/** Two handles of one file. The reader sees only committed rows, so a page never shows an order that is not on disk. */
export interface SqliteFile {
  readonly reads: PreparedStatements;
  readonly writes: PreparedStatements;
  readonly group: GroupCommit;
}

/** The connection of one caller, for single statements or one transaction. */
export class SqliteConnection implements DatabaseConnection {
  readonly #file: SqliteFile;
  #inTransaction: boolean = false;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  async begin(): Promise<void> {
    await this.#file.group.begin(lockDeadline());
    this.#inTransaction = true;
  }

  async commit(): Promise<void> {
    this.#inTransaction = false;
    await this.#file.group.commit();
  }

  /** Does nothing after a commit, even a failed one. */
  rollback(): void {
    if (!this.#inTransaction) return;
    this.#inTransaction = false;
    this.#file.group.rollback();
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    const { group, reads, writes } = this.#file;
    if (this.#inTransaction) return group.execute(() => writes.run(sql, parameters));
    if (SelectQueryNode.is(query) || /^\s*(?:select|explain)\b/i.test(sql))
      return retryWhileBusy(() => reads.run(sql, parameters));
    // SQLite refuses some pragmas inside a transaction.
    if (/^\s*pragma\b/i.test(sql)) return group.runAlone(lockDeadline(), () => writes.run(sql, parameters));
    return this.#runInTransaction(sql, parameters);
  }

  /** Yields the whole result at once: an open cursor would hold the reader at an old snapshot. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery(query);
  }

  async #runInTransaction<R>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>> {
    const { group, writes } = this.#file;
    await this.begin();
    try {
      const result = group.execute(() => writes.run<R>(sql, parameters));
      await this.commit();
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }
}

interface PreparedStatement {
  readonly statement: LibSql.Statement;
  readonly returnsRows: boolean;
}

/**
 * LRU cache of the prepared statements of one handle. SQLite takes about as long to prepare a statement as to run it.
 * The cache reduces the processor time of a checkout to 0.7 ×.
 */
export class PreparedStatements {
  readonly #database: LibSql.Database;
  readonly #bySql = new LRUCache<string, PreparedStatement>({ max: MAX_STATEMENTS });

  constructor(database: LibSql.Database) {
    this.#database = database;
  }

  run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    const prepared = this.#bySql.get(sql) ?? this.#prepare(sql);
    try {
      return execute<R>(prepared, parameters);
    } catch (error) {
      // The statement may still be open.
      this.#bySql.delete(sql);
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }

  #prepare(sql: string): PreparedStatement {
    const statement = this.#database.prepare(sql);
    const prepared = { statement, returnsRows: statement.reader };
    this.#bySql.set(sql, prepared);
    return prepared;
  }
}

function execute<R>(
  { statement, returnsRows }: PreparedStatement,
  parameters: readonly unknown[],
): QueryResult<R> {
  if (returnsRows) return { rows: statement.all(parameters) as R[] };
  const { changes, lastInsertRowid } = statement.run(parameters);
  return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
}
