import type { MigrationSet } from '../../database/run-migrations.js';
import type { TableOptions } from '../table-sql.js';
import { type CreateOptions, paymentTables } from './2026-11-26-payment-tables.js';
import { outsidePayments } from './2026-11-27-outside-payments.js';
import { prefixedLimitTable } from './2026-11-29-limit-table.js';

/**
 * Returns the payments' migrations by name, for `openDatabaseOf`. Each runs once, in order of name, and is recorded in a table
 * of their own. Never change a released migration.
 */
export function paymentMigrations(options: CreateOptions = {}): MigrationSet {
  return prefixedMigrations(options);
}

/** Returns them for tables with a prefix. */
export function prefixedMigrations(options: CreateOptions & TableOptions): MigrationSet {
  return {
    table: `${options.tablePrefix ?? ''}payment_migration`,
    migrations: {
      '2026-11-26-payment-tables': paymentTables(options),
      '2026-11-27-outside-payments': outsidePayments(options),
      '2026-11-29-limit-table': prefixedLimitTable(options),
    },
  };
}
