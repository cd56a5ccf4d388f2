import type { QueryResult } from 'kysely';
import type LibSql from 'libsql';

/** More than the program has; a list of any length in a statement makes it another one. */
const MOST_KEPT = 300;

/** Statements of one connection, prepared once. The oldest makes room. */
export class KeptStatements {
  readonly #database: LibSql.Database;
  readonly #kept = new Map<string, { readonly statement: LibSql.Statement; readonly reads: boolean }>();

  constructor(database: LibSql.Database) {
    this.#database = database;
  }

  run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    const { statement, reads } = this.#prepared(sql);
    try {
      if (reads) return { rows: statement.all(parameters) as R[] };
      const { changes, lastInsertRowid } = statement.run(parameters);
      return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
    } catch (error) {
      // One that failed in the middle may be open still.
      this.#kept.delete(sql);
      throw error;
    }
  }

  #prepared(sql: string) {
    const known = this.#kept.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    const kept = { statement, reads: statement.reader };
    this.#kept.set(sql, kept);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > MOST_KEPT) this.#kept.delete(oldest);
    return kept;
  }
}
