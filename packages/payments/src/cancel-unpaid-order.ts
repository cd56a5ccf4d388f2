import type { PaymentContext } from './context.js';
import { applyToAttempts } from './decide-order.js';
import type { OrderState } from './rules/order.js';
import { findAttempts } from './store/attempts.js';
import { lockOrder, type Order, type OrderEvent, recordEvent } from './store/orders.js';

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

export interface CancelRequest {
  readonly orderId: string;
  /** The order version on the person's page (optimistic lock). */
  readonly version: number;
  /** For the order's history: the person, the reason. Without personal data of the customer. */
  readonly detail: OrderEvent['detail'];
}

/** `answer_awaited`: the response that starts an attempt may still arrive. */
export type CancelResult = 'cancelled' | 'changed' | 'answer_awaited' | 'not_cancellable';

/**
 * Cancels an unpaid order and ends its payment link. An open attempt becomes superseded and is still looked up, so a late
 * payment makes the order paid.
 */
export function cancelUnpaidOrder(
  context: PaymentContext,
  { orderId, version, detail }: CancelRequest,
): Promise<CancelResult> {
  return context.db.transaction(async (queries) => {
    await context.host.lockBefore(queries, [orderId]);
    const order = await lockOrder(queries, orderId);
    if (order.version !== version) return 'changed';
    const attempts = await findAttempts(queries, orderId);
    if (!mayCancel(order)) return 'not_cancellable';
    if (attempts.some(({ state }) => state === 'creating' || state === 'unknown')) return 'answer_awaited';
    const at = context.clock.now();
    await applyToAttempts(queries, context, { order, attempts, type: 'close_decided', at });
    await recordEvent(queries, { orderId, at, kind: 'order_cancelled', detail });
    return 'cancelled';
  });
}
