/** All combinations of snapshot and event of the state machine. */
import { ATTEMPT_STATES, ORDER_STATES } from '../../src/domain/order.js';
import type { PaymentResult } from '../../src/domain/payment.js';
import {
  type PaymentEvent,
  type Snapshot,
  type Transition,
  transition,
} from '../../src/domain/transition.js';

const RESULTS: readonly PaymentResult[] = [
  { kind: 'paid' },
  { kind: 'pending' },
  { kind: 'declined' },
  { kind: 'expired' },
  { kind: 'cancelled' },
  { kind: 'review', reason: 'other_amount' },
];

const EVENTS: readonly PaymentEvent[] = [
  { type: 'opened' },
  { type: 'start_failed' },
  { type: 'start_declined' },
  { type: 'answer_lost' },
  { type: 'found' },
  { type: 'superseded' },
  { type: 'order_replaced' },
  ...RESULTS.map((result) => ({ type: 'looked_up' as const, result })),
  { type: 'refund_decided' },
  { type: 'close_decided' },
  { type: 'stock_arrived' },
  { type: 'refunded' },
];

const BOTH = [true, false];

const SNAPSHOTS: readonly Snapshot[] = ORDER_STATES.flatMap((order) =>
  ATTEMPT_STATES.flatMap((attempt) =>
    BOTH.flatMap((hasOtherLiveAttempt) =>
      BOTH.flatMap((isCoveredElsewhere) =>
        BOTH.flatMap((paysTheOrder) =>
          BOTH.flatMap((isOtherEnvironment) =>
            BOTH.flatMap((hasStock) =>
              BOTH.flatMap((lacksStock) =>
                BOTH.map((hasOtherReview) => ({
                  order,
                  attempt,
                  hasOtherLiveAttempt,
                  isCoveredElsewhere,
                  paysTheOrder,
                  isOtherEnvironment,
                  hasStock,
                  lacksStock,
                  hasOtherReview,
                })),
              ),
            ),
          ),
        ),
      ),
    ),
  ),
);

export interface Case {
  readonly before: Snapshot;
  readonly event: PaymentEvent;
  readonly after: Transition;
}

/** The full product, each with its transition. */
export const ALL_CASES: readonly Case[] = SNAPSHOTS.flatMap((before) =>
  EVENTS.map((event) => ({ before, event, after: transition(before, event) })),
);
