/** The fulfillment of a paid order: its states, and when it is allowed. Pure. */
import {
  type AttemptState,
  isInFlight,
  type OrderState,
  type RefundFacts,
  type ReviewReason,
} from '@tianguis/payments/rules';

/**
 * In the order in which an order passes them. `ready`: the customer can collect the order. `returned`: the parcel came back to
 * the shop. `picked_up`: the customer collected the order.
 */
export const FULFILLMENT_STATES = ['preparing', 'ready', 'shipped', 'delivered', 'returned', 'picked_up'] as const;
export type FulfillmentState = (typeof FULFILLMENT_STATES)[number];

/** What the back office's list of orders filters by. `to_ship`: in preparation. It and `ready`: the order may be fulfilled now. */
export const FULFILLMENT_FILTERS = ['to_ship', 'ready', 'shipped', 'delivered', 'returned', 'picked_up'] as const;
export type FulfillmentFilter = (typeof FULFILLMENT_FILTERS)[number];

/** Returns whether the goods have not left the shop yet. */
export function isInShop(state: FulfillmentState): boolean {
  return state === 'preparing' || state === 'ready';
}

/**
 * Returns whether the order may be fulfilled: it is paid, needs no review, and its payment was not refunded. A refund in
 * flight or a chargeback of that payment also prevents it. A refund of a part does not.
 */
export function isFulfillable(
  order: { readonly state: OrderState; readonly reviewReason: ReviewReason | null },
  payingAttempt: { readonly id: string; readonly state: AttemptState } | undefined,
  refunds: readonly Omit<RefundFacts, 'amount'>[],
): boolean {
  const isPaid = order.state === 'paid' && order.reviewReason === null && payingAttempt?.state === 'paid';
  const own = refunds.filter(({ attemptId }) => attemptId === payingAttempt?.id);
  return isPaid && !own.some(({ kind, state }) => isInFlight(state) || kind === 'chargeback');
}
