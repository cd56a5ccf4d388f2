/** Decisions of an admin user about an order in review. Pure. */
import type { OrderState, ReviewReason } from './order.js';

/**
 * `confirm`: the lookup is repeated; only its result makes an order paid. `refund`: an unconfirmed payment was returned
 * by hand at the gateway. `close`: the admin user found no payment at the gateway. `stock_arrived`: the goods of an oversold order
 * are on hand now. `apply_again`: the host gets the changes that it missed.
 */
export const DECISIONS = ['confirm', 'refund', 'close', 'stock_arrived', 'apply_again'] as const;
export type AdminDecision = (typeof DECISIONS)[number];

export interface ReviewState {
  readonly state: OrderState;
  readonly reviewReason: ReviewReason | null;
}

/** Returns why an order needs a decision. An order with an unknown outcome has no stored reason. */
export function reasonToReview({ state, reviewReason }: ReviewState): ReviewReason | null {
  return reviewReason ?? (state === 'outcome_unknown' ? state : null);
}

export function needsReview(order: ReviewState): boolean {
  return order.state === 'review' || reasonToReview(order) !== null;
}

/** The gateway reported a payment, or the attempt has another environment. */
const NOT_CLOSABLE: readonly ReviewReason[] = [
  ...(['second_payment', 'oversold'] as const),
  ...(['other_id', 'other_amount', 'other_currency', 'other_reference'] as const),
  'other_environment',
];

/**
 * Returns the allowed decisions; empty if the order needs no review. `isRefundable`: the refund form can return a confirmed
 * payment of the order, so `refund` is not offered as a decision.
 */
export function openDecisions(order: ReviewState, isRefundable: boolean): readonly AdminDecision[] {
  if (!needsReview(order)) return [];
  const mayClose =
    order.reviewReason === null ||
    !NOT_CLOSABLE.includes(order.reviewReason) ||
    // Another payment paid the order. The earlier attempt stays watched.
    (order.state === 'paid' && order.reviewReason === 'other_environment');
  const isPaid = order.state === 'paid';
  const isHostBehind = order.reviewReason === 'host_failed';
  const allowed: Readonly<Record<AdminDecision, boolean>> = {
    confirm: !isPaid && !isHostBehind && order.reviewReason !== 'second_payment' && order.reviewReason !== 'candidate',
    stock_arrived: order.reviewReason === 'oversold',
    apply_again: isHostBehind,
    refund: !isRefundable && (isPaid || !isHostBehind),
    // A paid order without what the host missed is not closed: its goods would never be sent.
    close: mayClose && !(isPaid && isHostBehind),
  };
  return (Object.keys(allowed) as AdminDecision[]).filter((decision) => allowed[decision]);
}
