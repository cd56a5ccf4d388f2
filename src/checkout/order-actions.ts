/** What admin users do with one order, besides decisions. */
import { findAttempts } from '../db/attempts.js';
import { findHistory, incrementOrderVersion, lockOrder, type Order, recordEvent } from '../db/orders.js';
import { jobKey, requeueJob } from '../db/outbox.js';
import type { JobName } from '../db/schema.js';
import type { Cancellation } from '../domain/cancellation.js';
import type { OrderState } from '../domain/order.js';
import type { CheckoutContext } from './context.js';
import { applyToAttempts } from './decide-order.js';
import { type Settled, settlePayment } from './settle-payment.js';

/** A request of an admin user about one order. */
export interface OrderRequest {
  readonly orderId: string;
  /** The order version on the admin user's page (optimistic lock). */
  readonly version: number;
  readonly by: string;
}

/** Settles an order, and records the admin user in the order's history. */
export async function checkPayment(context: CheckoutContext, orderId: string, by: string): Promise<Settled> {
  const at = context.clock.now();
  await recordEvent(context.db.queries, { orderId, at, kind: 'lookup_requested', detail: { by } });
  return settlePayment(context, orderId, 'merchant');
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

const CANCELLABLE: readonly OrderState[] = ['created', 'pending', 'declined', 'expired'];

/** Returns whether an admin user may cancel the order: it is unpaid, needs no review, and has not ended for good. */
export function mayCancel({
  state,
  reviewReason,
  payableUntil,
}: Pick<Order, 'state' | 'reviewReason' | 'payableUntil'>): boolean {
  // The gateway's word ends an attempt, not the payment link.
  const isOpen = CANCELLABLE.includes(state) || (state === 'cancelled' && payableUntil !== null);
  return isOpen && reviewReason === null;
}

export interface CancelRequest extends Omit<OrderRequest, 'by'> {
  /** Name of the admin user. Absent: the customer cancels. */
  readonly by?: string;
  readonly cancellation: Cancellation;
}

/**
 * Cancels an unpaid order, ends its payment link and releases its reservation. An open attempt becomes superseded and is still looked up, so a
 * late payment makes the order paid. The next submission of its cart places a new order. `answer_awaited`: the response that starts an attempt may still arrive.
 */
export async function cancelOrder(
  context: CheckoutContext,
  { orderId, version, by, cancellation }: CancelRequest,
): Promise<'cancelled' | 'changed' | 'answer_awaited' | 'not_cancellable'> {
  return context.db.transaction(async (queries) => {
    // For the lock order see db/stock.ts.
    await context.host.lockBefore(queries, [orderId]);
    const order = await lockOrder(queries, orderId);
    if (order.version !== version) return 'changed';
    const attempts = await findAttempts(queries, orderId);
    if (!mayCancel(order)) return 'not_cancellable';
    if (attempts.some(({ state }) => state === 'creating' || state === 'unknown')) return 'answer_awaited';
    const at = context.clock.now();
    await applyToAttempts(queries, context, { order, attempts, type: 'close_decided', at });
    const detail = { by, cancelReason: cancellation.reason, note: cancellation.text || undefined };
    await recordEvent(queries, { orderId, at, kind: 'order_cancelled', detail });
    return 'cancelled';
  });
}
