import { recordEvent } from '../db/history.js';
import type { CheckoutContext } from './context.js';
import { type Settled, settlePayment } from './settle-payment.js';

/** Settles an order at the request of an admin user, and records the user in the order's history. */
export async function checkPayment(context: CheckoutContext, orderId: string, by: string): Promise<Settled> {
  const at = context.clock.now();
  await recordEvent(context.db.queries, { orderId, at, kind: 'lookup_requested', detail: { by } });
  return settlePayment(context, orderId, 'merchant');
}
