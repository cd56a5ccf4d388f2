import { findOrderByNumber } from '../db/orders.js';
import { queueJob } from '../db/outbox.js';
import type { CheckoutContext } from './context.js';

/** At most one mail per order in each 10 min window. */
const WINDOW_MS = 10 * 60 * 1000;

/**
 * Queues a mail with the order's link if the address matches the order; otherwise does nothing. Both cases return the
 * same result, so that the caller cannot test which orders exist.
 */
export async function mailOrderLink(
  { db, clock }: CheckoutContext,
  asked: { readonly number: string; readonly email: string },
): Promise<void> {
  const order = await findOrderByNumber(db.queries, asked.number);
  if (order?.email.toLowerCase() !== asked.email.toLowerCase()) return;
  const at = clock.now();
  const key = `order_link:${order.id}:${Math.floor(at / WINDOW_MS)}`;
  await queueJob(db.queries, { key, orderId: order.id, job: 'order_link', at });
}
