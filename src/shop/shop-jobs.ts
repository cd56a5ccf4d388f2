/** The outbox jobs of a paid order: its receipt and the merchant's hook. */

import { NOT_NEEDED } from '@tianguis/payments';
import { findAttempt, jobKey, paymentIdsOf, queueJobs } from '@tianguis/payments/back-office';
import type { Db } from '../tables/database.js';
import { isStockTaken } from '../tables/fulfillments.js';
import { findOrderLines, type Order } from '../tables/orders.js';
import type { CheckoutContext, JobHandler, PaidOrder } from './checkout-context.js';

export const PAID_JOBS = ['receipt', 'on_paid'] as const;

export const SHOP_JOBS = {
  // Retention may have removed the customer's address before the order was paid.
  receipt: async (context, order, { key, createdAt }) => {
    if (order.email === '') return NOT_NEEDED;
    // A receipt that is sent again has its own Message-ID, because mail programs hide duplicates.
    const messageKey = createdAt === order.confirmedAt ? key : `${key}:${createdAt}`;
    return context.sendReceipt(await paidOrder(context, order, messageKey));
  },
  on_paid: async (context, order, { key, signal }) => context.onPaid(await paidOrder(context, order, key), signal),
} as const satisfies Readonly<Record<(typeof PAID_JOBS)[number], JobHandler>>;

/** Queues the jobs of an order that became paid. Without an e-mail address there is no receipt. */
export function queuePaidJobs(
  queries: Db,
  { id: orderId, email }: Pick<Order, 'id' | 'email'>,
  at: number,
): Promise<void> {
  return queueJobs(
    queries,
    PAID_JOBS.filter((job) => job !== 'receipt' || email !== '').map((job) => ({
      key: jobKey(job, orderId),
      orderId,
      job,
      at,
    })),
  );
}

/** Reads the input of a job that needs the lines of an order. */
export async function paidOrder({ db }: CheckoutContext, order: Order, key: string): Promise<PaidOrder> {
  const { queries } = db;
  const stockTaken = (await isStockTaken(queries, order.id)) !== false;
  const attempt = order.paidAttemptId === null ? undefined : await findAttempt(queries, order.paidAttemptId);
  const payment = attempt && paymentIdsOf(attempt);
  return { key, order, lines: await findOrderLines(queries, order.id), payment, stockTaken };
}
