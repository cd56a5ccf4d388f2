import { deleteExpired, type ExpiringRow, erasePersonalData } from '../db/retention.js';
import type { CheckoutContext } from './context.js';

const EVERY_MS = 10 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Rows per statement, so that deletes hold their locks briefly. The worker's next batch removes more. */
const BATCH = 200;

const KEEP_MS: readonly (readonly [ExpiringRow, number])[] = [
  ['sessions', 0],
  ['reservations', 0],
  // Twice the lifetime of the session that refers to the cart.
  ['carts', 60 * DAY_MS],
  // Webhook events may contain customer data, so they are kept only as long as a review may need them.
  ['webhooks', 30 * DAY_MS],
  ['jobs', 90 * DAY_MS],
  ['signIns', 90 * DAY_MS],
];

const lastRuns = new WeakMap<CheckoutContext, number>();

/**
 * Removes rows whose retention ended: sessions, reservations, carts, webhook events, outbox jobs and sign-ins. Removes all
 * customer data of old orders (names, e-mail, phone, address, invoice request) if `piiRetentionMs` is set. Does nothing within 10 min after a
 * complete run. Returns the number of rows.
 */
export async function applyRetention(context: CheckoutContext): Promise<number> {
  const now = context.clock.now();
  if (now - (lastRuns.get(context) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return 0;
  const removed = [await erasePersonalDataOfOldOrders(context, now)];
  for (const [what, keptFor] of KEEP_MS)
    removed.push(await deleteExpired(context.db.queries, what, { before: now - keptFor, most: BATCH }));
  if (removed.every((count) => count < BATCH)) lastRuns.set(context, now);
  return removed.reduce((total, count) => total + count, 0);
}

async function erasePersonalDataOfOldOrders({ db, policy }: CheckoutContext, now: number): Promise<number> {
  const { piiRetentionMs } = policy;
  if (piiRetentionMs === undefined) return 0;
  return db.transaction((queries) =>
    erasePersonalData(queries, { before: now - piiRetentionMs, most: BATCH, at: now }),
  );
}
