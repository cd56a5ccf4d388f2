/** What an admin user may do with one order, besides decisions, refunds and shipping. */
import { findAttempts } from '../db/attempts.js';
import { incrementCartVersion, lockCartOfOrder } from '../db/carts.js';
import { recordEvent } from '../db/history.js';
import { lockOrder, type Order, patchOrder } from '../db/orders.js';
import { jobKey, requeueJob } from '../db/outbox.js';
import type { OrderState } from '../domain/order.js';
import { reportTransition } from './apply-transition.js';
import type { CheckoutContext } from './context.js';
import { applyToAttempts } from './decide-order.js';
import { type Settled, settlePayment } from './settle-payment.js';

/** A request of an admin user about one order. */
export interface OrderRequest {
  readonly orderId: string;
  /** The order version on the admin user's page (optimistic lock). */
  readonly version: number;
  /** The name of the admin user. */
  readonly by: string;
}

/** Settles an order, and records the admin user in the order's history. */
export async function checkPayment(context: CheckoutContext, orderId: string, by: string): Promise<Settled> {
  const at = context.clock.now();
  await recordEvent(context.db.queries, { orderId, at, kind: 'lookup_requested', detail: { by } });
  return settlePayment(context, orderId, 'merchant');
}

export type ResendOutcome =
  | 'receipt_queued'
  /** The receipt waits to be sent. */
  | 'receipt_waiting'
  /** The order changed after the page was rendered, also by the same request. */
  | 'changed'
  /** The order is not paid, or its e-mail address was erased. */
  | 'no_receipt';

/** Returns whether the receipt can be sent again. */
export function mayResend({ state, email }: Pick<Order, 'state' | 'email'>): boolean {
  return state === 'paid' && email !== '';
}

/** Queues the receipt of a paid order again. At most one is queued, and the same request queues one. */
export function resendReceipt(
  { db, clock }: Pick<CheckoutContext, 'db' | 'clock'>,
  { orderId, version, by }: OrderRequest,
): Promise<ResendOutcome> {
  return db.transaction(async (queries) => {
    const order = await lockOrder(queries, orderId);
    if (!mayResend(order)) return 'no_receipt';
    if (order.version !== version) return 'changed';
    const at = clock.now();
    const key = jobKey('receipt', orderId);
    if (!(await requeueJob(queries, { key, orderId, job: 'receipt', at }))) return 'receipt_waiting';
    // A new version of the order, so that a repeated request queues nothing.
    await patchOrder(queries, order, { at, patch: {} });
    await recordEvent(queries, { orderId, at, kind: 'receipt_resent', detail: { by } });
    return 'receipt_queued';
  });
}

export type CancelOutcome =
  | 'cancelled'
  | 'changed'
  /** The answer to the call that starts an attempt may still arrive. */
  | 'answer_awaited'
  /** The order is paid, ended or in review. */
  | 'not_cancellable';

const CANCELLABLE: readonly OrderState[] = ['created', 'pending', 'declined', 'expired'];

/** Returns whether an admin user may cancel the order: it is unpaid and needs no review. */
export function mayCancel({ state, reviewReason }: Pick<Order, 'state' | 'reviewReason'>): boolean {
  return CANCELLABLE.includes(state) && reviewReason === null;
}

/**
 * Cancels an unpaid order and releases its reservation. An open attempt becomes superseded and is still looked up, so
 * money that arrives later makes the order paid. The cart gets a new version: if the customer submits it again, that
 * places a new order, which replaces the cancelled one.
 */
export async function cancelOrder(
  context: CheckoutContext,
  { orderId, version, by }: OrderRequest,
): Promise<CancelOutcome> {
  const result = await context.db.transaction(async (queries) => {
    // For the lock order see db/stock.ts.
    await lockCartOfOrder(queries, orderId);
    const order = await lockOrder(queries, orderId);
    if (order.version !== version) return 'changed';
    const attempts = await findAttempts(queries, orderId);
    if (!mayCancel(order)) return 'not_cancellable';
    if (attempts.some(({ state }) => state === 'creating' || state === 'unknown')) return 'answer_awaited';
    const at = context.clock.now();
    const applied = await applyToAttempts(queries, context, { order, attempts, type: 'close_decided', at });
    await incrementCartVersion(queries, order.cartId, at);
    await recordEvent(queries, { orderId, at, kind: 'order_cancelled', detail: { by } });
    return applied;
  });
  if (typeof result === 'string') return result;
  for (const change of result) reportTransition(context, change, 'merchant');
  return 'cancelled';
}
