import { findOrderByNumber } from '../store/orders.js';
import { queueOrderLink } from '../store/outbox.js';
import type { CheckoutServices } from './services.js';

/** Nobody can be sent the same link more often. */
const WINDOW_MS = 10 * 60 * 1000;

/**
 * Mails the order's link to the order's own address, when this is that address; else does nothing. Whoever asked
 * learns in neither case whether there is such an order.
 */
export async function mailOrderLink(
  { db, clock }: CheckoutServices,
  asked: { readonly number: string; readonly email: string },
): Promise<void> {
  const order = await findOrderByNumber(db.queries, asked.number);
  if (order?.email.toLowerCase() !== asked.email.toLowerCase()) return;
  const at = clock.now();
  const key = `order_link:${order.id}:${Math.floor(at / WINDOW_MS)}`;
  await queueOrderLink(db.queries, { key, orderId: order.id, at });
}
