import type { CheckoutContext } from '../../shop/checkout-context.js';
import { eraseOrders } from './erase-orders.js';
import { lockOldOrders } from './repository.js';

/** Orders per transaction, so that it holds its locks briefly. */
const BATCH = 200;

/**
 * Removes the personal data of orders that are older than `piiRetentionMs`: names, e-mail, phone, address and what features
 * hold. Without the setting it does nothing. Returns the number of orders.
 */
export async function applyRetention(context: CheckoutContext): Promise<number> {
  const { clock, db, config } = context;
  const { piiRetentionMs } = config;
  if (piiRetentionMs === undefined) return 0;
  const at = clock.now();
  return db.transaction(async (queries) => {
    const ids = await lockOldOrders(queries, { before: at - piiRetentionMs, limit: BATCH });
    await eraseOrders(queries, { ids, at });
    return ids.length;
  });
}
