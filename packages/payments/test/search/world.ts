/** The world of the state search: one order, its attempts, the gateway's payments and one piece of stock. Values only. */

import { isPlainPending, withStatus } from '@tianguis/payments/back-office';
import type { LookupResult } from '@tianguis/payments/rules';
import { centavos, changesRow } from '@tianguis/payments/rules';
import { attemptRow } from '@tianguis/payments/testing';
import { type Attempt, hasNotEnded, isOffered } from '../../src/rules/attempt.js';
import { decideEarlier } from '../../src/rules/decide-earlier.js';
import { findOutsideObjection, findReplacementObjection } from '../../src/rules/decide-outside.js';
import { decideReplacement } from '../../src/rules/decide-replacement.js';
import { abandonmentOf, decideStart } from '../../src/rules/decide-start.js';
import { assertAllowed } from '../../src/rules/lifecycle.js';
import { type AttemptState, LIVE_ATTEMPT_STATES, type OrderState, type ReviewReason } from '../../src/rules/order.js';
import { evaluateFailedLookup, evaluatePayment, type GatewayPayment } from '../../src/rules/payment.js';
import { type PaymentEvent, type Snapshot, type Transition, transition } from '../../src/rules/transition.js';
import { PENDING } from '../support/snapshot.js';

/** What the search calls. A revert replaces one of them by a function with a known bug. */
export const REAL = {
  transition: transition as (before: Snapshot, event: PaymentEvent) => Transition,
  evaluatePayment,
  evaluateFailedLookup,
  decideStart,
  decideEarlier,
  decideReplacement,
  findOutsideObjection,
  findReplacementObjection,
  /** Returns what a webhook proves: what our own lookup returned, never the status that the webhook names. */
  evidenceOf: (lookup: Answer, _named: GatewayPayment): Answer => lookup,
  /** Returns whether the host fulfills the order. */
  isFulfilled: (before: Snapshot, after: Transition, _event: PaymentEvent): boolean =>
    after.order === 'paid' && before.order !== 'paid',
  /** Returns the stock after an attempt ended unpaid beside a paid order. */
  stockAfterEnd: (stock: Stock): Stock => stock,
};
export type Functions = typeof REAL;

/** What the gateway returns for one id. */
export type Answer = GatewayPayment | 'not_found' | 'unreachable';

/** The state of an attempt and the time when a lookup of it started. */
export interface Asked {
  readonly state: AttemptState;
  readonly at: number;
}

export const MINUTE_MS = 60_000;
/**
 * The clock moves through these minutes only. A lease and the 8.5 min of an abandoned 3D Secure page end by the second, an
 * offer with its margin by the third, the 30 min after an offer by the fourth, and each watch by the last.
 */
const CLOCK_MINUTES = [0, 12, 45, 80, 13_000] as const;
export const LAST_TICK = CLOCK_MINUTES.length - 1;
export const AMOUNT = centavos(15_000);

/** Money that the gateway took. */
export type Charge = 'exact' | 'other_amount' | 'other_currency';

/** A session or card payment in the books of the gateway. */
export interface GatewayRecord {
  readonly status: 'pending' | 'paid' | 'declined' | 'expired' | 'cancelled';
  readonly charge: Charge | null;
  /** Paid after every watch, or after the merchant closed the attempt without an answer. Only a webhook or a return reports it. */
  readonly isUnwatched: boolean;
  /** The merchant returned the money, or the bank took it back. */
  readonly isReturned: boolean;
}

/** What the process that started an attempt holds in memory: that it may call the gateway, or the response to store. */
export type Starter =
  | 'may_call'
  | { readonly event: PaymentEvent; readonly patch: Partial<Attempt>; readonly verifies: boolean };

export interface Stock {
  readonly onHand: number;
  /** Pieces that this order took. */
  readonly taken: number;
  /** Pieces that other orders took. */
  readonly sold: number;
  readonly arrived: number;
  readonly isReserved: boolean;
}

export interface World {
  /** What is searched: the real functions, or those of a revert. */
  readonly f: Functions;
  readonly tick: number;
  /** Unusual events that may still happen. */
  readonly faults: number;
  readonly maxAttempts: number;
  readonly order: OrderState;
  readonly reviewReason: ReviewReason | null;
  readonly paidOrdinal: number | null;
  readonly hasLink: boolean;
  /** A newer order of the same cart took its place. */
  readonly replacedBy: 'none' | 'unpaid' | 'paid';
  readonly attempts: readonly Attempt[];
  /** By ordinal. Null: the gateway did not create a payment. */
  readonly records: readonly (GatewayRecord | null)[];
  readonly starters: readonly (Starter | null)[];
  /** Ordinals of the pages that the customer was sent to. */
  readonly shown: readonly number[];
  /** A lookup of another process, which has its answer and has not applied it. */
  readonly slow: { readonly ordinal: number; readonly asked: Asked; readonly answer: Answer } | null;
  /** The customer confirmed that an earlier attempt may still be charged. */
  readonly isWarned: boolean;
  readonly key: 'first' | 'same_account' | 'other_account';
  readonly stock: Stock;
  /** Jobs that start what follows from a payment. */
  readonly fulfillments: number;
}

export const newWorld = (limits: Pick<World, 'f' | 'faults' | 'maxAttempts'>): World => ({
  ...limits,
  tick: 0,
  order: 'created',
  reviewReason: null,
  paidOrdinal: null,
  hasLink: true,
  replacedBy: 'none',
  attempts: [],
  records: [],
  starters: [],
  shown: [],
  slow: null,
  isWarned: false,
  key: 'first',
  stock: { onHand: 1, taken: 0, sold: 0, arrived: 0, isReserved: true },
  fulfillments: 0,
});

/** The name of a broken rule, with what was seen. */
export class Violation extends Error {}

export function demand(isTrue: boolean, rule: string): asserts isTrue {
  if (!isTrue) throw new Violation(rule);
}

export const now = ({ tick }: World): number => (CLOCK_MINUTES[tick] ?? 0) * MINUTE_MS;
export const idOf = (ordinal: number): string => `p${ordinal}`;
export const isLive = ({ state }: Attempt): boolean => LIVE_ATTEMPT_STATES.includes(state);

export function attemptOf({ attempts }: World, ordinal: number): Attempt {
  const attempt = attempts[ordinal - 1];
  if (!attempt) throw new Error('no such attempt');
  return attempt;
}

/** Returns the list with the value of one ordinal replaced. */
export const withAt = <T>(list: readonly T[], ordinal: number, value: T): readonly T[] =>
  list.map((each, index) => (index === ordinal - 1 ? value : each));

/** Returns the world with a new attempt, whose process may call the gateway. */
export function withAttempt(world: World, flow: Attempt['flow']): World {
  const [ordinal, at] = [world.attempts.length + 1, now(world)];
  const times = { createdAt: at, offerEndsAt: at + 30 * MINUTE_MS, leasedUntil: at + MINUTE_MS };
  const names = { id: `a${ordinal}`, reference: `R-${ordinal}`, keyFingerprint: world.key, amount: AMOUNT };
  const row = attemptRow('order', { ordinal, flow, ...names, ...times });
  return {
    ...world,
    attempts: [...world.attempts, { ...row, live: 1 }],
    records: [...world.records, null],
    starters: [...world.starters, 'may_call'],
  };
}

const insertsAttempt = (event: PaymentEvent): boolean => event.type === 'paid_outside';

/** As `readSnapshot` of apply-transition.ts, from values instead of rows. */
function snapshotOf(world: World, ordinal: number, event: PaymentEvent): Snapshot {
  const { order, attempts, stock, paidOrdinal, replacedBy } = world;
  const attempt = attemptOf(world, ordinal);
  const others = attempts.filter((each) => each !== attempt);
  const paying = attempts.find((each) => each.ordinal === paidOrdinal);
  return {
    order,
    attempt: insertsAttempt(event) ? null : attempt.state,
    hasOtherLiveAttempt: others.some(isLive),
    mayBeCharged: insertsAttempt(event) && objectionTo('outside', { ...world, attempts: others }) !== undefined,
    hasOtherOffer: others.some((other) => isOffered(other, now(world))),
    isAlreadyPaid: order === 'paid' || replacedBy === 'paid',
    awaitsCustomer: isPlainPending(attempt.gatewayStatus),
    paysTheOrder: paidOrdinal === ordinal,
    isOtherEnvironment: attempt.keyFingerprint !== world.key && world.reviewReason === 'other_environment',
    hasOtherReview: others.some(
      (other) =>
        other.state === 'review' ||
        other.state === 'unknown' ||
        (other.state === 'paid' && other.ordinal !== paidOrdinal),
    ),
    hasOtherEnvironment: false,
    hasGoods: stock.onHand > 0,
    lacksGoods: order === 'paid' && paying?.state === 'paid' && stock.taken === 0,
    isHostBehind: false,
    missesRefund: false,
  } as Snapshot;
}

const ENDS_LINK: readonly PaymentEvent['type'][] = ['refund_decided', 'close_decided', 'refunded'];

export interface Columns {
  readonly patch?: Partial<Attempt>;
  readonly reviewReason?: ReviewReason | null;
}

/** As `applyTransition`: applies one event, and checks what must hold for each change. */
export function apply(world: World, ordinal: number, event: PaymentEvent, columns: Columns = {}): World {
  const before = snapshotOf(world, ordinal, event);
  const after = world.f.transition(before, event);
  demand(before.order !== 'paid' || after.order === 'paid', 'I4: a paid order stays paid');
  demand(before.attempt !== 'refunded' || after.attempt === 'refunded', 'I4: returned money stays returned');
  demand(before.attempt !== 'paid' || ['paid', 'refunded'].includes(after.attempt), 'I4: a payment stays a payment');
  assertAllowed(before, after);
  if (!ENDS_LINK.includes(event.type) && changesNothing(world, ordinal, after, columns)) return world;
  const isPaid = after.order === 'paid' && before.order !== 'paid';
  const attempt = { ...attemptOf(world, ordinal), ...columns.patch, state: after.attempt };
  const attempts = withAt(world.attempts, ordinal, { ...attempt, live: isLive(attempt) ? 1 : null });
  const chosen = after.reviewReason === undefined ? columns.reviewReason : after.reviewReason;
  const endsOffer = after.order !== before.order && event.type !== 'start_failed';
  const stock = after.takesGoods
    ? { ...world.stock, onHand: world.stock.onHand - 1, taken: world.stock.taken + 1 }
    : world.stock;
  const endsBesidePaid =
    before.order === 'paid' && hasNotEnded({ ...attempt, state: before.attempt }) && !hasNotEnded(attempt);
  return {
    ...world,
    order: after.order,
    attempts,
    reviewReason: chosen === undefined ? world.reviewReason : chosen,
    paidOrdinal: isPaid ? ordinal : world.paidOrdinal,
    hasLink: world.hasLink && !isPaid && !ENDS_LINK.includes(event.type),
    stock: {
      ...(endsBesidePaid ? world.f.stockAfterEnd(stock) : stock),
      isReserved: stock.isReserved && !endsOffer && after.attempt !== 'declined',
    },
    fulfillments: world.fulfillments + (world.f.isFulfilled(before, after, event) ? 1 : 0),
  };
}

const stated = new WeakMap<Attempt, ReturnType<typeof withStatus>>();

/** Like `withStatus`, once for each attempt: most worlds share their attempts. */
export function statedAttempt(attempt: Attempt): ReturnType<typeof withStatus> {
  const known = stated.get(attempt) ?? withStatus(attempt);
  stated.set(attempt, known);
  return known;
}

/** Why the merchant may not record a payment outside of the gateway, or replace the order, now. */
export function objectionTo(
  change: 'outside' | 'replacement',
  world: World,
  lookups?: ReadonlyMap<string, LookupResult>,
) {
  const { order: state, reviewReason, f } = world;
  const attempts = world.attempts.map(statedAttempt);
  return f[change === 'outside' ? 'findOutsideObjection' : 'findReplacementObjection']({
    order: { state, reviewReason },
    attempts,
    lookups,
    environment: attempts[0]?.environment ?? '',
    at: now(world),
  });
}

/** As `insertOutsideAttempt`: the merchant records that the customer paid past the gateway. */
export function payOutside(world: World): World {
  const mayArrive = world.attempts.some((each) => mayPaymentArrive(each, now(world)));
  const added = withAttempt(world, 'outside');
  const ordinal = added.attempts.length;
  const unstarted = { ...added, starters: withAt(added.starters, ordinal, null) };
  const columns = { patch: { confirmedAmount: AMOUNT } };
  const after = apply(unstarted, ordinal, { type: 'paid_outside' }, columns);
  if (attemptOf(after, ordinal).state !== 'paid') return world;
  demand(!mayArrive, 'I5: no payment outside beside an attempt that may still be charged');
  return after;
}

/** The customer is on a page of the gateway, or was sent to the bank a few minutes ago, or no answer came yet. */
function mayPaymentArrive({ flow, state, createdAt, offerEndsAt, redirectUrl }: Attempt, at: number): boolean {
  if (state === 'creating' || state === 'unknown' || state === 'review') return true;
  if (flow === 'card') return state === 'open' && at < createdAt + 8.5 * MINUTE_MS;
  const isOpen = state === 'open' || state === 'superseded';
  return isOpen && redirectUrl !== null && at <= offerEndsAt + 2 * MINUTE_MS;
}

/** As `replaceOrder`, by a changed cart or as the merchant decides. */
export function replaceBy(who: 'checkout' | 'merchant', world: World): World {
  const type = 'order_replaced';
  const at = now(world);
  const last = world.attempts.find(isLive) ?? world.attempts.at(-1);
  const isAwaited = world.attempts.some((each) => each.flow === 'card' && mayPaymentArrive(each, at));
  const patch = last && abandonmentOf(last, last.environment, at);
  const replaced = last ? apply(world, last.ordinal, { type }, { patch }) : applyToUnstarted(world, type);
  demand(who === 'checkout' || !isAwaited, 'I5: no merchant replaces an order whose card may still be charged');
  return { ...replaced, replacedBy: 'unpaid', hasLink: false };
}

/** As `apply`, for an order that was placed and not started. */
export function applyToUnstarted(world: World, type: 'order_replaced' | 'close_decided'): World {
  const { order } = transition({ ...PENDING, order: world.order, attempt: null }, { type });
  assertAllowed({ order: world.order, attempt: null }, { order, attempt: null });
  return { ...world, order, hasLink: false, stock: { ...world.stock, isReserved: false } };
}

/** Most lookups find what is known already. */
function changesNothing(world: World, ordinal: number, after: Transition, { patch, reviewReason }: Columns): boolean {
  const attempt = attemptOf(world, ordinal);
  const isSame = after.order === world.order && after.attempt === attempt.state;
  const reason = after.reviewReason === undefined ? reviewReason : after.reviewReason;
  const isSameReason = reason === undefined || reason === world.reviewReason;
  return isSame && isSameReason && !after.takesGoods && !(patch && changesRow(attempt, patch));
}

/** Returns a text that is the same only for worlds with the same future. Columns that no rule reads any more are left out. */
export function keyOf(world: World): string {
  const { tick, faults, order, reviewReason, paidOrdinal, hasLink, replacedBy, slow, isWarned, key, stock } = world;
  const parts = [
    tick,
    faults,
    order,
    reviewReason,
    paidOrdinal,
    hasLink,
    replacedBy,
    isWarned,
    key,
    world.fulfillments,
  ];
  const pieces = [stock.onHand, stock.taken, stock.sold, stock.arrived, stock.isReserved];
  const asked = slow && [slow.ordinal, slow.asked.state, slow.asked.at, keyOfAnswer(slow.answer)];
  return [...parts, ...pieces, asked, ...world.attempts.map((attempt) => keyOfAttempt(world, attempt))].join();
}

function keyOfAttempt({ records, starters, shown }: World, attempt: Attempt): string {
  const { ordinal, flow, state, gatewayId, idSource, confirmedAmount, keyFingerprint, createdAt } = attempt;
  const [record, starter] = [records[ordinal - 1], starters[ordinal - 1]];
  const atGateway = record
    ? [record.status, record.charge, record.isUnwatched, record.isReturned, shown.includes(ordinal)]
    : 'none';
  const response = starter && starter !== 'may_call' ? [starter.event.type, Object.values(starter.patch)] : starter;
  const known = [flow, state, gatewayId, idSource, confirmedAmount, atGateway, response];
  const isFinal = state === 'paid' || state === 'refunded';
  if (isFinal) return known.join();
  const { redirectUrl, foundAt, notFoundAt, returnedAt, abandonedAt } = attempt;
  const watched = [keyFingerprint, createdAt, redirectUrl, foundAt, notFoundAt, returnedAt, abandonedAt];
  return [...known, ...watched, hasNotEnded(attempt) && statedAttempt(attempt).isPlainPending].join();
}

const keyOfAnswer = (answer: Answer) =>
  typeof answer === 'string' ? answer : [answer.status, answer.amount, answer.currency];

/** One line of a trace. */
export function describe({ tick, order, reviewReason, attempts }: World): string {
  const states = attempts.map(({ flow, state }) => `${flow} ${state}`).join(', ');
  return `order ${order}${reviewReason ? ` (${reviewReason})` : ''}; ${states}; minute ${CLOCK_MINUTES[tick]}`;
}
