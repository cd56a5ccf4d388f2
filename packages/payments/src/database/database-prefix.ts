import type { Kysely } from 'kysely';

/** The prefixes of databases that have one, by the adapter that a database shares with its transactions. */
const prefixes = new WeakMap<object, string>();

/** Gives a database that is being opened its prefix. */
export function setTablePrefix<T>(queries: Kysely<T>, prefix: string): void {
  if (prefix !== '') prefixes.set(queries.getExecutor().adapter, prefix);
}

/** Returns the prefix that a database was opened with, for its queries and its transactions. Empty: none. */
export function tablePrefixOf<T>(queries: Kysely<T>): string {
  return prefixes.get(queries.getExecutor().adapter) ?? '';
}
