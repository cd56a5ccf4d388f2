/** The life of orders and payment attempts: which state may follow which. `transition.ts` defines the causes. */
import type { AttemptState, OrderState } from './order.js';

/** A state that is not listed never follows. A paid order stays paid; every other order may become paid late. */
export const ORDER_TRANSITIONS = {
  created: ['pending', 'outcome_unknown', 'paid', 'declined', 'expired', 'cancelled', 'review'],
  pending: ['outcome_unknown', 'paid', 'declined', 'expired', 'cancelled', 'review'],
  outcome_unknown: ['pending', 'paid', 'declined', 'cancelled', 'review'],
  paid: [],
  declined: ['pending', 'outcome_unknown', 'paid', 'cancelled', 'review'],
  expired: ['pending', 'outcome_unknown', 'paid', 'declined', 'cancelled', 'review'],
  cancelled: ['pending', 'outcome_unknown', 'paid', 'declined', 'review'],
  review: ['paid', 'cancelled'],
} as const satisfies Readonly<Record<OrderState, readonly OrderState[]>>;

/** A state that is not listed never follows. Money is only returned; an end without a payment may be found paid. */
export const ATTEMPT_TRANSITIONS = {
  creating: ['open', 'unknown', 'superseded', 'failed', 'paid', 'declined', 'expired', 'cancelled', 'review'],
  open: ['superseded', 'paid', 'declined', 'expired', 'cancelled', 'review', 'refunded'],
  unknown: ['open', 'superseded', 'failed', 'paid', 'declined', 'expired', 'cancelled', 'review', 'refunded'],
  superseded: ['unknown', 'failed', 'paid', 'declined', 'expired', 'cancelled', 'review', 'refunded'],
  failed: ['superseded', 'paid', 'review'],
  paid: ['refunded'],
  declined: ['superseded', 'paid', 'review'],
  expired: ['superseded', 'paid', 'review'],
  cancelled: ['superseded', 'paid', 'review'],
  review: ['superseded', 'paid', 'declined', 'expired', 'cancelled', 'refunded'],
  refunded: [],
} as const satisfies Readonly<Record<AttemptState, readonly AttemptState[]>>;

interface States {
  readonly order: OrderState;
  /** Null: the order has no attempt. */
  readonly attempt: AttemptState | null;
}

/** Throws if a table does not list the change. A state that stays the same is always allowed. */
export function assertAllowed(before: States, after: States): void {
  assertListed('order', ORDER_TRANSITIONS, before.order, after.order);
  if (before.attempt !== null && after.attempt !== null)
    assertListed('attempt', ATTEMPT_TRANSITIONS, before.attempt, after.attempt);
}

function assertListed<State extends string>(
  name: keyof States,
  table: Readonly<Record<State, readonly State[]>>,
  from: State,
  to: State,
): void {
  if (from !== to && !table[from].includes(to)) throw new Error(`no ${name} changes from ${from} to ${to}`);
}
