import { type DatabaseOf, type OnError, openWithPrefix } from './database/database.js';
import type { CreateOptions } from './store/migrations/2026-11-26-payment-tables.js';
import { prefixedMigrations } from './store/migrations/index.js';
import { assertPrefix, type TableOptions } from './store/table-sql.js';
import type { SharedTables } from './store/tables.js';

/**
 * Opens `file:…` (SQLite) or `postgres://…` for a host without migrations of its own. Its `migrate()` creates the payments' tables
 * as `createPaymentTables` does. The first query connects. `T`: the tables of the host.
 */
export function openPaymentDatabase<T extends SharedTables>(
  url: string,
  onError: OnError,
  options?: CreateOptions,
): DatabaseOf<T>;
/**
 * The same for a host whose table `orders` is not shared with the payments. With the `tablePrefix` `pay_` the payments have
 * `pay_orders`, `pay_attempts` and so on, and never read or write a table without it. `createPayments` and `createPaymentTables`
 * take it from this database. Throws a `RangeError` for a prefix that is not a lower-case name of at most 20 letters.
 */
export function openPaymentDatabase<T>(
  url: string,
  onError: OnError,
  options: CreateOptions & Required<TableOptions>,
): DatabaseOf<T>;
export function openPaymentDatabase<T>(
  url: string,
  onError: OnError,
  options: CreateOptions & TableOptions = {},
): DatabaseOf<T> {
  const { tablePrefix = '' } = options;
  assertPrefix(tablePrefix);
  return openWithPrefix<T>(url, { onError, migrations: [prefixedMigrations(options)] }, tablePrefix);
}
