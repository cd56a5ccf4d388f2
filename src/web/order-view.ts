import { isDeclinedOnPage, payAgainTime } from '../checkout/decide-start.js';
import { type Attempt, isPayable, payingAttemptOf } from '../db/attempts.js';
import type { Fulfillment } from '../db/fulfillments.js';
import type { Order } from '../db/orders.js';
import type { Refund } from '../db/refunds.js';
import { isPayableAt, type OrderState } from '../domain/order.js';
import { refundedTotal } from '../domain/refund.js';
import type { OrderIcon, OrderTone } from './order-parts.js';

interface StateView {
  readonly tone: OrderTone;
  /** Refresh interval in seconds. Absent if no change is expected. */
  readonly refreshSeconds?: number | undefined;
  /** `tryAgain` only if no earlier payment is unconfirmed, except on an abandoned bank page. */
  readonly actions: readonly ('tryAgain' | 'cart' | 'shop')[];
  /** Default: that of the tone. */
  readonly icon?: OrderIcon;
}

/** Presentation of each order state. A state without an entry does not compile. */
export const STATE_VIEWS = {
  created: { tone: 'waiting', actions: ['tryAgain', 'cart'] },
  pending: { tone: 'waiting', refreshSeconds: 3, actions: ['shop'] },
  outcome_unknown: { tone: 'review', refreshSeconds: 15, actions: ['shop'] },
  paid: { tone: 'good', actions: ['shop'] },
  declined: { tone: 'bad', actions: ['tryAgain', 'cart'] },
  expired: { tone: 'bad', actions: ['tryAgain', 'cart'] },
  cancelled: { tone: 'bad', actions: ['tryAgain', 'cart'] },
  review: { tone: 'review', refreshSeconds: 15, actions: ['shop'] },
} as const satisfies Record<OrderState, StateView>;

/** Presentation of a closed order that may still become paid. It has no `tryAgain` action. */
const MAY_BE_PAID_LATE = { tone: 'waiting', actions: ['cart', 'shop'] } as const;
/** Such a page refreshes itself every minute, until an hour after the payment page was closed. */
const LATE_REFRESH_S = 60;
const LATE_REFRESH_MS = 60 * 60_000;

/** Presentation of a paid order that needs the merchant, or whose money was returned, which is no error. */
const PAID_AND_OVERSOLD = { tone: 'review', actions: ['shop'] } as const;
const PAID_AND_REFUNDED = { tone: 'good', actions: ['shop'] } as const;

/** Presentation of a cancelled order. Its customer may have cancelled it, so it is no failure. */
const CANCELLED_VIEW = { tone: 'waiting', icon: 'bag' } as const;

const CLOSED: readonly OrderState[] = ['declined', 'expired', 'cancelled'];

/** Returns whether the customer may start another attempt for an order in this state. */
function isUnpaid(state: OrderState): boolean {
  return state === 'created' || CLOSED.includes(state);
}

interface OrderRecords {
  readonly order: Order;
  readonly attempts: readonly Attempt[];
  readonly refunds: readonly Refund[];
  readonly fulfillment: Fulfillment | undefined;
  /** False if a lookup returned no payment or the database failed. */
  readonly lookupsSucceeded: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns what the page of an order shows beside its state. */
export function orderFacts({ order, attempts, refunds, fulfillment, lookupsSucceeded, now }: OrderRecords) {
  const superseded = attempts.filter((each) => each.state === 'superseded' && isPayable(each));
  const isUncertain = superseded.length > 0 && (order.state !== 'declined' || !lookupsSucceeded);
  const lastOffer = Math.max(...superseded.map(({ offerEndsAt }) => offerEndsAt));
  // A paid order whose products are missing has a review reason.
  const mayBeOversold = order.state === 'paid' && order.reviewReason !== null;
  return {
    /** The merchant refunded a payment of this order. */
    refunded: attempts.some(({ state }) => state === 'refunded'),
    /** The merchant refunded the payment that paid this order. */
    orderRefunded: payingAttemptOf(order, attempts)?.state === 'refunded',
    /** Of all payments of the order. 0 if nothing was returned, or if only a decision records it. */
    refundedTotal: refundedTotal(refunds),
    /** The order is paid, and its products are sold out. */
    oversold: mayBeOversold && fulfillment?.stockTaken === 0,
    /** A caller sends an attempt to the gateway now. */
    isStarting: attempts.some(({ state }) => state === 'creating') && isUnpaid(order.state),
    /** The order is closed, and the worker still looks up a payment that may exist. */
    mayBePaidLate: isUncertain && CLOSED.includes(order.state),
    /** The gateway has not ended an attempt that is no longer offered. */
    hasUnendedAttempt: superseded.length > 0 && order.state !== 'paid',
    lateRefreshSeconds: now < lastOffer + LATE_REFRESH_MS ? LATE_REFRESH_S : undefined,
    /** When the customer may start another attempt. Absent: now, or not by time. */
    payAgainFrom: payAgainTime(attempts, now),
    /** The order can be paid from its link. */
    isPayable: isPayableAt(order, now),
    /** The bank declined the last card on the open payment page, which takes another one. */
    isDeclinedOnPage: order.state === 'pending' && attempts.some(isDeclinedOnPage),
    /** The customer abandoned a 3D Secure page, and the bank may still approve the payment. */
    abandonedBankPage: order.state !== 'paid' && superseded.some(({ abandonedAt }) => abandonedAt !== null),
  };
}

export type OrderFacts = ReturnType<typeof orderFacts>;

/** Keys of the messages in `states`. `closed`: a cancelled order whose link has ended. */
export type ViewKey = OrderState | 'refunded' | 'oversold' | 'mayBePaidLate' | 'watched' | 'declinedOnPage' | 'closed';

/** Returns how the order is shown, and the key of its messages. */
export function orderView(state: OrderState, facts: OrderFacts): StateView & { readonly key: ViewKey } {
  const { orderRefunded, oversold, isStarting, mayBePaidLate, lateRefreshSeconds, payAgainFrom } = facts;
  if (orderRefunded) return { key: 'refunded', ...PAID_AND_REFUNDED };
  if (oversold) return { key: 'oversold', ...PAID_AND_OVERSOLD };
  if (isStarting) return { key: 'pending', ...STATE_VIEWS.pending };
  if (facts.isDeclinedOnPage) return { key: 'declinedOnPage', ...STATE_VIEWS.pending, tone: 'bad' };
  if (mayBePaidLate) {
    const key = state === 'expired' ? 'watched' : 'mayBePaidLate';
    return { key, ...MAY_BE_PAID_LATE, refreshSeconds: lateRefreshSeconds };
  }
  const view: StateView = STATE_VIEWS[state];
  // Another attempt would not start yet.
  const actions = payAgainFrom === undefined ? view.actions : view.actions.filter((action) => action !== 'tryAgain');
  if (state === 'cancelled') return { key: cancelledKey(facts), ...CANCELLED_VIEW, actions };
  return { key: state, ...view, actions };
}

function cancelledKey({ refunded, isPayable }: OrderFacts): ViewKey {
  if (refunded) return 'refunded';
  return isPayable ? 'cancelled' : 'closed';
}
