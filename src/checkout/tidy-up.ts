import { forgetShoppers, type Pruned, prune } from '../db/prune.js';
import type { CheckoutServices } from './services.js';

const EVERY_MS = 10 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Rows per statement, so that deletes hold their locks briefly. The worker's next batch removes more. */
const MOST = 200;

/** Retention per kind of row, in milliseconds. */
const KEEP_MS: readonly (readonly [Pruned, number])[] = [
  ['sessions', 0],
  // Twice the lifetime of the session that refers to the cart.
  ['carts', 60 * DAY_MS],
  // Webhook events may contain customer data, so they are kept only as long as a review may need them.
  ['messages', 30 * DAY_MS],
  ['effects', 90 * DAY_MS],
];

const tidied = new WeakMap<CheckoutServices, number>();

/**
 * Removes rows whose retention ended: sessions, carts, webhook events and outbox jobs. Removes names and e-mail addresses
 * of old orders if `personalDataMs` is set. Does nothing within 10 min after a complete run. Returns the number of rows.
 */
export async function tidyUp(services: CheckoutServices): Promise<number> {
  const now = services.clock.now();
  if (now - (tidied.get(services) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return 0;
  const removed = [await forgetOldShoppers(services, now)];
  for (const [what, keptFor] of KEEP_MS)
    removed.push(await prune(services.db.queries, what, { before: now - keptFor, most: MOST }));
  if (removed.every((count) => count < MOST)) tidied.set(services, now);
  return removed.reduce((total, count) => total + count, 0);
}

async function forgetOldShoppers({ db, policy }: CheckoutServices, now: number): Promise<number> {
  const { personalDataMs } = policy;
  if (personalDataMs === undefined) return 0;
  return db.transaction((queries) =>
    forgetShoppers(queries, { before: now - personalDataMs, most: MOST, at: now }),
  );
}
