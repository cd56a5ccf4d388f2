import type { ExpiringRows } from '../database/delete-expired-rows.js';
import type { PaymentTables } from './tables.js';

/** Rows that are removed after their time. */
export const EXPIRING_PAYMENT_ROWS = {
  /** Processed webhook events may contain customer data. A review may need them for this time. */
  webhooks: { table: 'inbox', key: 'id', since: 'doneAt', days: 30 },
  /** Outbox jobs that are done. The order's history still records them. */
  jobs: { table: 'outbox', key: 'key', since: 'doneAt', days: 90 },
} as const satisfies Readonly<Record<string, ExpiringRows<PaymentTables>>>;
