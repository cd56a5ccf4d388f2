import type { OrderState } from '@tianguis/payments/rules';

/** How a page colors a state. */
export type Tone = 'good' | 'waiting' | 'bad' | 'review';

/** The tone of each order state. A state without an entry does not compile. */
export const STATE_TONES = {
  created: 'waiting',
  pending: 'waiting',
  outcome_unknown: 'review',
  paid: 'good',
  declined: 'bad',
  expired: 'bad',
  cancelled: 'bad',
  review: 'review',
} as const satisfies Record<OrderState, Tone>;
