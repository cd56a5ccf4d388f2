import type { Kysely } from 'kysely';
import { tablePrefixOf } from '../database/database-prefix.js';
import { runMigrations } from '../database/run-migrations.js';
import type { CreateOptions } from './migrations/2026-11-26-payment-tables.js';
import { prefixedMigrations } from './migrations/index.js';

/**
 * Creates the payments' tables, or changes those of an earlier version. Does nothing if they are there. Safe to call from
 * several processes at the same time. On the tables of a newer version it returns the names of the migrations that only that one
 * has. A host that migrates by `openDatabaseOf` passes it `paymentMigrations()` instead.
 *
 * The table `orders` is shared with the host. There are three ways:
 * - It does not exist: it is created with the payments' columns. The host adds its own columns afterwards.
 * - The host has it, with a text id and without rows: `orders: 'add_columns'` adds what it lacks. With rows it throws, because
 *   no database adds a column that is never null to rows. The host then adds the columns that the error names.
 * - The host has it in another shape: `openPaymentDatabase` with `tablePrefix: 'pay_'` gives the payments `pay_orders`, with the ids of the
 *   host's orders.
 *
 * Throws and changes nothing if a table of another shape has one of the names. The error names each column.
 */
export async function createPaymentTables<T>(db: Kysely<T>, options: CreateOptions = {}): Promise<readonly string[]> {
  const run = () => runMigrations(db, [prefixedMigrations({ ...options, tablePrefix: tablePrefixOf(db) })]);
  // Two processes may create the same table. The later one fails after the commit of the other, and then finds it.
  return run().catch(run);
}
