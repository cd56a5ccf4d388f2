/** All combinations of snapshot and event of the state machine. */
import { ATTEMPT_STATES, ORDER_STATES } from '@tianguis/payments/rules';
import {
  type LookedUp,
  type PaymentEvent,
  type Snapshot,
  type Transition,
  transition,
} from '../../src/rules/transition.js';

const RESULTS: readonly LookedUp[] = [
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
  { type: 'offer_ended' },
  ...RESULTS.map((result) => ({ type: 'looked_up' as const, result })),
  { type: 'refund_decided' },
  { type: 'close_decided' },
  { type: 'goods_arrived' },
  { type: 'change_repeated' },
  { type: 'refunded' },
];

/** Returns each row once for each value of the property. */
function withEach<Row, Name extends string, Value>(rows: readonly Row[], name: Name, values: readonly Value[]) {
  return rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }) as Row & Record<Name, Value>));
}

const BOTH = [true, false];
const STATES = withEach(withEach([{}], 'order', ORDER_STATES), 'attempt', ATTEMPT_STATES);
const PAYMENTS = withEach(
  withEach(withEach(STATES, 'hasOtherLiveAttempt', BOTH), 'hasOtherOffer', BOTH),
  'isAlreadyPaid',
  BOTH,
);
const PLACES = withEach(withEach(PAYMENTS, 'paysTheOrder', BOTH), 'isOtherEnvironment', BOTH);
const STOCK = withEach(withEach(PLACES, 'hasGoods', BOTH), 'lacksGoods', BOTH);
const REVIEWS = withEach(STOCK, 'hasOtherReview', BOTH);
const PLAIN = withEach(withEach(REVIEWS, 'hasOtherEnvironment', BOTH), 'awaitsCustomer', [false]);
/** Only a decision about an attempt in review depends on the gateway's last word. */
const AWAITING = PLAIN.filter(({ attempt }) => attempt === 'review').map((row) => ({ ...row, awaitsCustomer: true }));
/** Only what decisions and refunds leave behind on a paid order depends on the host. */
const BEHIND = PLAIN.filter(
  ({ order, hasOtherOffer, isOtherEnvironment }) => order === 'paid' && !hasOtherOffer && !isOtherEnvironment,
).flatMap((row) => [
  { ...row, mayBeCharged: false, isHostBehind: true, missesRefund: false },
  { ...row, mayBeCharged: false, isHostBehind: false, missesRefund: true },
]);
const SNAPSHOTS: readonly Snapshot[] = [
  ...[...PLAIN, ...AWAITING].map((row) => ({
    ...row,
    mayBeCharged: false,
    isHostBehind: false,
    missesRefund: false,
  })),
  ...BEHIND,
];

export interface Case {
  readonly before: Snapshot;
  readonly event: PaymentEvent;
  readonly after: Transition;
}

/** The full product, each with its transition. */
export const ALL_CASES: readonly Case[] = SNAPSHOTS.flatMap((before) =>
  EVENTS.map((event) => ({ before, event, after: transition(before, event) })),
);
