/** The short way of a statement whose text is made: straight to its connection. */
import type { CompiledQuery, DatabaseConnection, Kysely, Transaction } from 'kysely';
import { propertyName } from './names.js';
import type { Schema } from './schema.js';

type Queries = Kysely<Schema>;

/** The connections of the transactions that are under way. */
const connections = new WeakMap<Queries, DatabaseConnection>();

/** All or nothing, as {@link Database.transaction} promises. */
export function inTransaction<T>(kysely: Kysely<Schema>, work: (queries: Queries) => Promise<T>): Promise<T> {
  return kysely.transaction().execute(async (transaction: Transaction<Schema>) => {
    const connection = await transaction.getExecutor().provideConnection((given) => Promise.resolve(given));
    connections.set(transaction, connection);
    try {
      return await work(transaction);
    } finally {
      // What comes later is refused by Kysely, which knows that the transaction is over.
      connections.delete(transaction);
    }
  });
}

export interface Sent<R> {
  readonly rows: readonly R[];
  /** How many rows were changed. */
  readonly changed: number;
}

/** Sends a statement and reads its answer, past the steps by which Kysely would look for work of plugins. */
export async function send<R>(queries: Queries, query: CompiledQuery): Promise<Sent<R>> {
  const connection = connections.get(queries);
  const { rows, numAffectedRows } = connection
    ? await connection.executeQuery<Row>(query)
    : await queries.getExecutor().provideConnection((given) => given.executeQuery<Row>(query));
  return { rows: rows.map((row) => inOurNames<R>(row)), changed: Number(numAffectedRows) };
}

type Row = Readonly<Record<string, unknown>>;

function inOurNames<R>(row: Row): R {
  const named: Record<string, unknown> = {};
  for (const column in row) named[propertyName(column)] = row[column];
  return named as R;
}
