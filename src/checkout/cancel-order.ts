import { findAttempts } from '../db/attempts.js';
import { recordEvent } from '../db/history.js';
import { lockOrder, type Order } from '../db/orders.js';
import type { OrderState } from '../domain/order.js';
import { reportTransition } from './apply-transition.js';
import type { CheckoutContext } from './context.js';
import { applyToAttempts } from './decide-order.js';
import type { OrderRequest } from './resend-receipt.js';

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
 * money that arrives later makes the order paid.
 */
export async function cancelOrder(
  context: CheckoutContext,
  { orderId, version, by }: OrderRequest,
): Promise<CancelOutcome> {
  const result = await context.db.transaction(async (queries) => {
    const order = await lockOrder(queries, orderId);
    if (order.version !== version) return 'changed';
    const attempts = await findAttempts(queries, orderId);
    if (!mayCancel(order) || attempts.length === 0) return 'not_cancellable';
    if (attempts.some(({ state }) => state === 'creating' || state === 'unknown')) return 'answer_awaited';
    const at = context.clock.now();
    const applied = await applyToAttempts(queries, context, { order, attempts, type: 'close_decided', at });
    await recordEvent(queries, { orderId, at, kind: 'order_cancelled', detail: { by } });
    return applied;
  });
  if (typeof result === 'string') return result;
  for (const change of result) reportTransition(context, change, 'merchant');
  return 'cancelled';
}
