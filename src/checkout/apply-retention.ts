import { deleteExpired, EXPIRING_ROWS, erasePersonalData } from '../db/retention.js';
import type { CheckoutContext } from './context.js';

const EVERY_MS = 10 * 60 * 1000;
/** Rows per statement, so that deletes hold their locks briefly. The worker's next batch removes more. */
const BATCH = 200;

const lastRuns = new WeakMap<CheckoutContext, number>();

/**
 * Removes rows whose retention ended: sessions, reservations, carts, webhook events, outbox jobs and sign-ins. If
 * `piiRetentionMs` is set, also removes the customer data of orders: names, e-mail, phone, address and invoice request.
 * Does nothing within 10 min after a complete run. Returns the number of rows.
 */
export async function applyRetention(context: CheckoutContext): Promise<number> {
  const { clock, db, config } = context;
  const at = clock.now();
  if (at - (lastRuns.get(context) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return 0;
  const removed: number[] = [];
  if (config.piiRetentionMs !== undefined) {
    const batch = { before: at - config.piiRetentionMs, limit: BATCH, at };
    removed.push(await db.transaction((queries) => erasePersonalData(queries, batch)));
  }
  for (const what of EXPIRING_ROWS)
    removed.push(await db.transaction((queries) => deleteExpired(queries, what, { at, limit: BATCH })));
  if (removed.every((count) => count < BATCH)) lastRuns.set(context, at);
  return removed.reduce((total, count) => total + count, 0);
}
