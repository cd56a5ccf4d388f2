import type { Queries } from '../db/database.js';
import type { Order } from '../db/orders.js';
import { jobKey, queueJob } from '../db/outbox.js';
import type { ReviewReason } from '../domain/order.js';
import type { CheckoutContext } from './context.js';

/**
 * Queues the mails to the merchant that a change of an order causes: it became paid, or it has a new review reason.
 * Call it in the transaction of the change. Queues nothing without `MERCHANT_EMAIL`.
 */
export async function queueMerchantMails(
  queries: Queries,
  { policy }: Pick<CheckoutContext, 'policy'>,
  { before, after, at }: { readonly before: Order; readonly after: Order; readonly at: number },
): Promise<void> {
  if (!policy.notifiesMerchant) return;
  const { id: orderId, reviewReason } = after;
  if (after.state === 'paid' && before.state !== 'paid')
    await queueJob(queries, { key: jobKey('merchant_paid', orderId), orderId, job: 'merchant_paid', at });
  if (reviewReason === null || reviewReason === before.reviewReason) return;
  const key = `${jobKey('merchant_review', orderId)}:${reviewReason}`;
  await queueJob(queries, { key, orderId, job: 'merchant_review', at });
}

/** Returns the review reason in the key of a `merchant_review` job. The order may have another one by now. */
export function reviewReasonIn(key: string): ReviewReason {
  return key.slice(key.lastIndexOf(':') + 1) as ReviewReason;
}
