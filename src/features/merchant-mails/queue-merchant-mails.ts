import { jobKey, queueJob } from '@tianguis/payments/back-office';
import { reasonToReview } from '@tianguis/payments/rules';
import type { Config, FeatureConfig } from '../../config/config.js';
import { becamePaid, type ShopChange } from '../../shop/order-hooks.js';
import type { Db } from '../../tables/database.js';

/**
 * Queues the mails to the merchant about a changed order: it became paid, or it has a new reason to review.
 * Queues nothing without `MERCHANT_EMAIL`, and the first only if the merchant wants it.
 */
export async function queueMerchantMails(
  queries: Db,
  change: ShopChange,
  { merchantEmail, mailsPaidOrders }: Pick<Config, 'merchantEmail' | keyof FeatureConfig>,
): Promise<void> {
  if (merchantEmail === undefined) return;
  const { before, after, at } = change;
  const orderId = after.id;
  if (mailsPaidOrders && becamePaid(change))
    await queueJob(queries, { key: jobKey('merchant_paid', orderId), orderId, job: 'merchant_paid', at });
  const reason = reasonToReview(after);
  if (reason === null || reason === reasonToReview(before)) return;
  const key = `${jobKey('merchant_review', orderId)}:${reason}`;
  await queueJob(queries, { key, orderId, job: 'merchant_review', at });
}
