/** How one caller speaks with the embedded database. */
import { type CompiledQuery, type DatabaseConnection, type QueryResult, SelectQueryNode } from 'kysely';
import type LibSql from 'libsql';
import { GroupCommit } from './group-commit.js';
import { KeptStatements } from './kept-statements.js';
import { whenFree } from './when-free.js';

/** One connection writes; another reads, and sees nothing that the disk does not have yet. */
export class Connections {
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

/** What one caller does with the database: single statements, or one transaction. */
export class EmbeddedConnection implements DatabaseConnection {
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
    if (/^\s*pragma\b/i.test(sql)) return this.#runOutside(sql, parameters);
    return this.#writeOne(sql, parameters);
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

  /** A transaction of one statement. */
  async #writeOne<R>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>> {
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

  /** For what may not run inside a transaction. */
  async #runOutside<R>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<R>> {
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
