import { recordEvent } from '@tianguis/payments/back-office';
import { JOB_LEASE_MS } from '@tianguis/payments/operations';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import { lockOrder, type Order } from '../../tables/orders.js';
import { makeJobDue, type ShopJob } from './repository.js';

/**
 * Makes a delayed outbox job due now. Returns `not_waiting` if the job is done or due within the lease time. A worker may
 * have leased such a job, which must not run twice at once. `by` is the name of the admin user.
 */
export async function retryJob(
  context: CheckoutContext,
  order: Pick<Order, 'id' | 'number'>,
  { key, job }: Pick<ShopJob, 'key' | 'job'>,
  by: string,
): Promise<'rescheduled' | 'not_waiting'> {
  const at = context.clock.now();
  const rescheduled = await context.db.transaction(async (queries) => {
    // For the lock order see tables/stock.ts.
    await lockOrder(queries, order.id);
    const found = await makeJobDue(queries, key, { at, after: at + JOB_LEASE_MS });
    if (found) await recordEvent(queries, { orderId: order.id, at, kind: 'job_retried', detail: { job, by } });
    return found;
  });
  if (!rescheduled) return 'not_waiting';
  context.log.info('job.retried', { order: order.number, job });
  return 'rescheduled';
}
