import { type DatabaseOf, type OnError, openDatabaseOf } from './database/database.js';
import type { CreateOptions } from './store/migrations/2026-11-26-payment-tables.js';
import { paymentMigrations } from './store/migrations/index.js';
import type { PaymentTables } from './store/tables.js';

/**
 * Opens `file:…` (SQLite) or `postgres://…` for a host without migrations of its own. Its `migrate()` creates the payments' tables
 * as `createPaymentTables` does. The first query connects.
 */
export function openPaymentDatabase<T extends PaymentTables>(
  url: string,
  onError: OnError,
  options: CreateOptions = {},
): DatabaseOf<T> {
  return openDatabaseOf<T>(url, { onError, migrations: [paymentMigrations(options)] });
}
