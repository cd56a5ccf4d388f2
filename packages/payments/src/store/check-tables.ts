/** Checks that a database has the payments' tables. The types of Kysely do not. */
import type { Kysely } from 'kysely';
import { tablePrefixOf } from '../database/database-prefix.js';
import { isPostgres } from '../database/dialects.js';
import { limitTable } from '../database/limits.js';
import { findColumns, findUniqueKeys } from './catalog.js';
import { type Column, paymentColumns, type SqlDialect } from './table-sql.js';

/** Without them an order could be paid twice, or a refund sent twice. */
const UNIQUE_KEYS: Readonly<Record<string, readonly string[]>> = {
  orders: ['id', 'number', 'token'],
  attempts: ['id', 'order_id, ordinal', 'order_id', 'gateway_id'],
  refunds: ['id', 'attempt_id', 'gateway_refund_id'],
  inbox: ['hash'],
  outbox: ['key'],
};

/** Of the table of the limits which all processes share. With SQLite they are counted in memory. */
const LIMIT_COLUMNS: readonly Column[] = [
  { name: 'key', definition: 'text' },
  { name: 'points', definition: 'integer' },
  { name: 'expire', definition: 'bigint' },
];

/**
 * Throws one error that names each table, column and unique key that is missing, and each column of another type. Call it
 * before the first payment.
 */
export async function assertPaymentTables<T>(db: Kysely<T>): Promise<void> {
  const tablePrefix = tablePrefixOf(db);
  const problems: string[] = [];
  for (const [table, columns] of paymentColumns(dialectOf(db), tablePrefix)) {
    const found = await findTableProblems(db, `${tablePrefix}${table}`, columns);
    problems.push(...(found ?? [`table ${tablePrefix}${table} is missing`]));
    if (found) problems.push(...(await findKeyProblems(db, tablePrefix, table)));
  }
  const limits = limitTable(tablePrefix);
  if (isPostgres(db))
    problems.push(...((await findTableProblems(db, limits, LIMIT_COLUMNS)) ?? [`table ${limits} is missing`]));
  if (problems.length > 0)
    throw new Error(`The payments need other tables: ${problems.join('; ')}. createPaymentTables creates them.`);
}

async function findKeyProblems<T>(db: Kysely<T>, tablePrefix: string, table: string): Promise<readonly string[]> {
  const keys = await findUniqueKeys(db, `${tablePrefix}${table}`);
  const missing = (UNIQUE_KEYS[table] ?? []).filter((key) => !keys.has(key));
  return missing.map((key) => `${tablePrefix}${table} has no unique key (${key})`);
}

/** Returns what differs in the columns of a table. `undefined`: there is no such table. */
export async function findTableProblems<T>(
  db: Kysely<T>,
  table: string,
  columns: readonly Column[],
): Promise<readonly string[] | undefined> {
  const found = await findColumns(db, table);
  if (found.size === 0) return undefined;
  const types = TYPES[dialectOf(db)];
  return columns.flatMap(({ name, definition }) => {
    const type = found.get(name);
    if (type === undefined) return [`${table}.${name} is missing`];
    const wanted = typeOf(definition);
    return types[wanted].test(type)
      ? []
      : [`${table}.${name} is ${type.toLowerCase() || 'without a type'} instead of ${wanted}`];
  });
}

export function dialectOf<T>(db: Kysely<T>): SqlDialect {
  return isPostgres(db) ? 'postgres' : 'sqlite';
}

type Type = 'text' | 'integer' | 'bigint';

function typeOf(definition: string): Type {
  if (/^text\b/.test(definition)) return 'text';
  return /^big/.test(definition) ? 'bigint' : 'integer';
}

/** The types in which each kind of column may be. SQLite has one size of integers. */
const TYPES: Readonly<Record<SqlDialect, Readonly<Record<Type, RegExp>>>> = {
  sqlite: { text: /text|char/i, integer: /int/i, bigint: /int/i },
  postgres: { text: /^(?:text|character varying)$/, integer: /^(?:integer|bigint)$/, bigint: /^bigint$/ },
};
