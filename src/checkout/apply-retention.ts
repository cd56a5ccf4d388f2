import { deleteExpired, EXPIRING_ROWS, lockOldOrders } from '../db/retention.js';
import type { CheckoutContext } from './context.js';
import { eraseOrders } from './erase-orders.js';

export const RETENTION_PAUSE_MS = 10 * 60 * 1000;
/** Rows per statement, so that deletes hold their locks briefly. The worker's next batch removes more. */
const BATCH = 200;

/**
 * Removes rows whose retention ended: sessions, reservations, carts, webhook events, outbox jobs and sign-ins. If
 * `piiRetentionMs` is set, also removes the customer data of orders: names, e-mail, phone, address and invoice request.
 * Returns the number of rows, or 0 if less than a batch was left of each kind.
 */
export async function applyRetention(context: CheckoutContext): Promise<number> {
  const { clock, db, config } = context;
  const at = clock.now();
  const removed: number[] = [];
  if (config.piiRetentionMs !== undefined) {
    const batch = { before: at - config.piiRetentionMs, limit: BATCH };
    const erased = await db.transaction(async (queries) => {
      const ids = await lockOldOrders(queries, batch);
      await eraseOrders(queries, context, { ids, at });
      return ids.length;
    });
    removed.push(erased);
  }
  for (const what of EXPIRING_ROWS)
    removed.push(await db.transaction((queries) => deleteExpired(queries, what, { at, limit: BATCH })));
  return removed.some((count) => count === BATCH) ? removed.reduce((total, count) => total + count, 0) : 0;
}
