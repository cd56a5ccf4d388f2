import { deleteExpired, EXPIRING_ROWS } from '../db/expired-rows.js';
import type { CheckoutContext } from './context.js';

/** Rows per statement, so that deletes hold their locks briefly. The worker's next batch removes more. */
const BATCH = 200;

/**
 * Removes rows whose time ended: sessions, typed forms, reservations, carts, webhook events, outbox jobs, unused pictures and
 * sign-ins. Returns the
 * number of rows, or 0 if less than a batch was left of each kind.
 */
export async function deleteExpiredRows({ clock, db }: CheckoutContext): Promise<number> {
  const at = clock.now();
  const removed: number[] = [];
  for (const what of EXPIRING_ROWS)
    removed.push(await db.transaction((queries) => deleteExpired(queries, what, { at, limit: BATCH })));
  return removed.some((count) => count === BATCH) ? removed.reduce((total, count) => total + count, 0) : 0;
}
