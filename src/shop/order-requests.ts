/** What admin users and customers do with one order, besides decisions. */

import type { Verified } from '@tianguis/payments';
import {
  type CancelResult,
  findHistory,
  incrementOrderVersion,
  jobKey,
  recordEvent,
  requeueJob,
} from '@tianguis/payments/back-office';
import { lockOrder, type Order } from '../tables/orders.js';
import type { JobName } from '../tables/schema.js';
import type { CheckoutContext } from './checkout-context.js';
import type { Cancellation } from './rules/cancellation.js';

/** A request of an admin user about one order. */
export interface OrderRequest {
  readonly orderId: string;
  /** The order version on the admin user's page (optimistic lock). */
  readonly version: number;
  readonly by: string;
}

/** A mail that an admin user may send several times. */
interface RepeatedMail {
  readonly job: JobName;
  /** Entry for the order's history. */
  readonly kind: string;
  readonly isAllowed: (order: Order, at: number) => boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Mails of one kind about one order. */
const MAX_PER_DAY = 5;

/**
 * Queues a mail of an order, if none is queued and less than five were in the last day. A repeated request queues nothing and returns `changed`: the order changed
 * after the page was rendered.
 */
export function requeueMail(
  { db, clock }: Pick<CheckoutContext, 'db' | 'clock'>,
  { orderId, version, by }: OrderRequest,
  { job, kind, isAllowed }: RepeatedMail,
): Promise<'queued' | 'waiting' | 'changed' | 'not_allowed'> {
  return db.transaction(async (queries) => {
    const order = await lockOrder(queries, orderId);
    const at = clock.now();
    if (!isAllowed(order, at)) return 'not_allowed';
    if (order.version !== version) return 'changed';
    const repeats = (await findHistory(queries, orderId)).filter((each) => each.kind === kind && each.at > at - DAY_MS);
    if (repeats.length >= MAX_PER_DAY) return 'waiting';
    if (!(await requeueJob(queries, { key: jobKey(job, orderId), orderId, job, at }))) return 'waiting';
    // A new version of the order, so that a repeated request queues nothing.
    await incrementOrderVersion(queries, order, at);
    await recordEvent(queries, { orderId, at, kind, detail: { by } });
    return 'queued';
  });
}

/** Verifies the payments of an order, and records the admin user in the order's history. */
export async function checkPayment(
  { clock, db, payments }: Pick<CheckoutContext, 'clock' | 'db' | 'payments'>,
  orderId: string,
  by: string,
): Promise<Verified<Order>> {
  const at = clock.now();
  await recordEvent(db.queries, { orderId, at, kind: 'lookup_requested', detail: { by } });
  return payments.verify(orderId, 'merchant');
}

export interface CancelOrderRequest extends Omit<OrderRequest, 'by'> {
  /** Name of the admin user. Absent: the customer cancels. */
  readonly by?: string;
  readonly cancellation: Cancellation;
}

/** Cancels an unpaid order. The next submission of its cart places a new order. */
export function cancelOrder(
  { payments }: Pick<CheckoutContext, 'payments'>,
  { orderId, version, by, cancellation }: CancelOrderRequest,
): Promise<CancelResult> {
  const detail = { by, cancelReason: cancellation.reason, note: cancellation.text || undefined };
  return payments.cancel({ orderId, version, detail });
}
