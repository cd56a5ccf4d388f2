/** The life of an order and of its attempts, as tables one can read aloud. */
import type { HoldReason, Verdict } from './payment.js';

export const ORDER_STATES = [
  'created',
  'pending',
  'outcome_unknown',
  'paid',
  'declined',
  'expired',
  'cancelled',
  'review',
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/**
 * Where an order may go from where it stands. `paid` is the end. `declined`, `expired` and `cancelled` may be tried
 * again, and late money may still reach them.
 */
export const ORDER_MOVES = {
  created: ['pending', 'outcome_unknown', 'paid', 'declined', 'expired', 'cancelled', 'review'],
  pending: ['paid', 'declined', 'expired', 'cancelled', 'review', 'outcome_unknown'],
  outcome_unknown: ['pending', 'paid', 'declined', 'cancelled', 'review'],
  declined: ['pending', 'outcome_unknown', 'paid', 'cancelled', 'review'],
  expired: ['pending', 'outcome_unknown', 'paid', 'cancelled', 'review'],
  cancelled: ['pending', 'outcome_unknown', 'paid', 'review'],
  review: ['paid', 'cancelled'],
  paid: [],
} as const satisfies Record<OrderState, readonly OrderState[]>;

/** Whether the table knows this move. */
export function canMove(from: OrderState, to: OrderState): boolean {
  return (ORDER_MOVES[from] as readonly OrderState[]).includes(to);
}

/** At the service's own page, or with the card's tokens from ours. */
export const WAYS_TO_PAY = ['hosted', 'card'] as const;
export type AttemptKind = (typeof WAYS_TO_PAY)[number];

/**
 * One try to pay an order. `creating`: the intent is written, the service may be asked at this moment. `open`: the
 * service knows it and the shopper may be paying. `unknown`: a card call whose answer was lost. `superseded`: never
 * handed out again, yet still watched for money. `refunded`: the merchant gave the money back; what the service goes
 * on saying about it moves nothing. The others are ends.
 */
export const ATTEMPT_STATES = [
  'creating',
  'open',
  'unknown',
  'superseded',
  'failed',
  'paid',
  'declined',
  'expired',
  'cancelled',
  'held',
  'refunded',
] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

/** The states of which an order has one attempt at the most. */
export const LIVE_ATTEMPT_STATES: readonly AttemptState[] = ['creating', 'open', 'unknown'];

/** The states in which the service is still worth asking. */
export const WATCHED_ATTEMPT_STATES: readonly AttemptState[] = ['open', 'superseded', 'held'];

/** The ends at which no money had moved: asked about once more only when somebody says that it has since. */
export const UNPAID_ENDS: readonly AttemptState[] = ['failed', 'declined', 'expired', 'cancelled'];

/** What the settling transaction reads before it decides. */
export interface Standing {
  readonly order: OrderState;
  readonly attempt: AttemptState;
  /** Another attempt of the order is live, so this one's failure is not the order's. */
  readonly otherLive: boolean;
  /** Other money already answers for what this order sells: this order's own or that of the order which replaced it. */
  readonly alreadyPaid: boolean;
}

/** Something only a person can put right. */
export type AttentionReason = HoldReason | 'second_payment';

export interface Decision {
  readonly attempt: AttemptState;
  /** Absent: the order stays where it is. */
  readonly order?: OrderState;
  readonly attention?: AttentionReason;
}

/** What a verdict on an attempt does to it and to its order. Never undoes `paid`. */
export function decide(standing: Standing, verdict: Verdict): Decision {
  // Two lookups may cross: older or contradictory news must not reopen an attempt, or it would be paid a second time.
  if (standing.attempt === 'paid' || standing.attempt === 'refunded') return { attempt: standing.attempt };
  switch (verdict.kind) {
    case 'paid':
      return decidePaid(standing);
    case 'hold':
      return {
        attempt: 'held',
        attention: verdict.reason,
        ...(canMove(standing.order, 'review') && { order: 'review' }),
      };
    case 'pending':
      return { attempt: standing.attempt };
    case 'declined':
    case 'expired':
    case 'cancelled':
      return decideEnded(standing, verdict.kind);
  }
}

function decidePaid(standing: Standing): Decision {
  if (!standing.alreadyPaid && standing.order !== 'paid') return { attempt: 'paid', order: 'paid' };
  return {
    attempt: 'paid',
    attention: 'second_payment',
    ...(canMove(standing.order, 'review') && { order: 'review' }),
  };
}

function decideEnded(standing: Standing, end: 'declined' | 'expired' | 'cancelled'): Decision {
  const waits = standing.order === 'pending' || standing.order === 'created';
  return waits && !standing.otherLive && standing.attempt !== 'superseded'
    ? { attempt: end, order: end }
    : { attempt: end };
}
