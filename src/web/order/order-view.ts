import type { PaymentView } from '@tianguis/payments';
import { type OrderState, type RefundFacts, refundedTotal } from '@tianguis/payments/rules';
import type { Fulfillment } from '../../tables/fulfillments.js';
import type { Order } from '../../tables/orders.js';
import { STATE_TONES, type Tone } from '../tone.js';
import type { OrderIcon } from './order-parts.js';

interface StateView {
  readonly tone: Tone;
  /** Refresh interval in seconds. Absent if no change is expected. */
  readonly refreshSeconds?: number | undefined;
  /** `tryAgain` only if no earlier payment is unconfirmed, except on an abandoned bank page. */
  readonly actions: readonly ('tryAgain' | 'cart' | 'shop')[];
  /** Default: that of the tone. */
  readonly icon?: OrderIcon;
}

/** Presentation of each order state. A state without an entry does not compile. */
const STATE_VIEWS = {
  created: { tone: STATE_TONES.created, actions: ['tryAgain', 'cart'] },
  pending: { tone: STATE_TONES.pending, refreshSeconds: 3, actions: ['shop'] },
  outcome_unknown: { tone: STATE_TONES.outcome_unknown, refreshSeconds: 15, actions: ['shop'] },
  paid: { tone: STATE_TONES.paid, actions: ['shop'] },
  declined: { tone: STATE_TONES.declined, actions: ['tryAgain', 'cart'] },
  expired: { tone: STATE_TONES.expired, actions: ['tryAgain', 'cart'] },
  cancelled: { tone: STATE_TONES.cancelled, actions: ['tryAgain', 'cart'] },
  review: { tone: STATE_TONES.review, refreshSeconds: 15, actions: ['shop'] },
} as const satisfies Record<OrderState, StateView>;

/** Presentation of a closed order that may still become paid. It has no `tryAgain` action. */
const MAY_BE_PAID_LATE = { tone: 'waiting', actions: ['cart', 'shop'] } as const;
/** Such a page refreshes itself every minute, until an hour after the payment page was closed. */
const LATE_REFRESH_S = 60;
const LATE_REFRESH_MS = 60 * 60_000;

/** States of an order that may be blocked. In the others its own payment is not known. */
const MAY_BE_BLOCKED: readonly OrderState[] = ['created', 'pending', 'declined', 'expired', 'cancelled'];
const BLOCKED_VIEW = { tone: 'waiting', actions: ['shop'], refreshSeconds: LATE_REFRESH_S } as const;

/** Presentation of a paid order that needs the merchant, or whose money was returned, which is no error. */
const PAID_AND_OVERSOLD = { tone: 'review', actions: ['shop'] } as const;
const PAID_AND_REFUNDED = { tone: 'good', actions: ['shop'] } as const;

/** Presentation of a cancelled order. Its customer may have cancelled it, so it is no failure. */
const CANCELLED_VIEW = { tone: 'waiting', icon: 'bag' } as const;

interface OrderRecords {
  readonly order: Order;
  readonly view: PaymentView;
  readonly refunds: readonly RefundFacts[];
  readonly fulfillment: Fulfillment | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns what the page of an order shows beside its state. */
export function stateFacts({ order, view, refunds, fulfillment, now }: OrderRecords) {
  // A paid order whose products are missing has a review reason.
  const mayBeOversold = order.state === 'paid' && order.reviewReason !== null;
  const { lastOfferEndsAt = -Infinity } = view;
  return {
    ...view,
    /** Of all payments of the order. 0 if nothing was returned, or if only a decision records it. */
    refundedTotal: refundedTotal(refunds),
    /** The merchant took back a payment past the gateway. */
    isReversed: refunds.some(({ kind }) => kind === 'reversal'),
    /** The customer gets mails. */
    hasEmail: order.email !== '',
    /** The order is paid, and its products are sold out. */
    oversold: mayBeOversold && fulfillment?.stockTaken === 0,
    lateRefreshSeconds: now < lastOfferEndsAt + LATE_REFRESH_MS ? LATE_REFRESH_S : undefined,
  };
}

export type StateFacts = ReturnType<typeof stateFacts>;

/** Keys of the messages in `states`. `closed`: a cancelled order whose link has ended. */
export type ViewKey =
  | OrderState
  | 'refunded'
  | 'reversed'
  | 'oversold'
  | 'mayBePaidLate'
  | 'watched'
  | 'declinedOnPage'
  | 'blocked'
  | 'closed';

/** Returns how the order is shown, and the key of its messages. */
export function orderView(facts: StateFacts): StateView & { readonly key: ViewKey } {
  const { state, orderRefunded, oversold, isStarting, mayBePaidLate, lateRefreshSeconds, mayTryAgain } = facts;
  if (orderRefunded) return { key: facts.isReversed ? 'reversed' : 'refunded', ...PAID_AND_REFUNDED };
  if (oversold) return { key: 'oversold', ...PAID_AND_OVERSOLD };
  if (isStarting) return { key: 'pending', ...STATE_VIEWS.pending };
  if (facts.isBlocked && MAY_BE_BLOCKED.includes(state)) return { key: 'blocked', ...BLOCKED_VIEW };
  if (facts.isDeclinedOnPage) return { key: 'declinedOnPage', ...STATE_VIEWS.pending, tone: 'bad' };
  if (mayBePaidLate) {
    const key = state === 'expired' ? 'watched' : 'mayBePaidLate';
    return { key, ...MAY_BE_PAID_LATE, refreshSeconds: lateRefreshSeconds };
  }
  const view: StateView = STATE_VIEWS[state];
  const actions = view.actions.filter((action) => action !== 'tryAgain' || mayTryAgain);
  if (state === 'cancelled') return { key: cancelledKey(facts), ...CANCELLED_VIEW, actions };
  return { key: state, ...view, actions };
}

function cancelledKey({ refunded, isPayable }: StateFacts): ViewKey {
  if (refunded) return 'refunded';
  return isPayable ? 'cancelled' : 'closed';
}
