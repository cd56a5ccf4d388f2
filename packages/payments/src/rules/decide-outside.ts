/** Whether a person may record an order as paid past the gateway, or replace it. Pure rules. */

import { hasNotEnded, mayBePaid, type StatedAttempt } from './attempt.js';
import { ABANDONED_AFTER_MS, mayBeAbandoned, payAgainFrom } from './decide-start.js';
import type { LookupResult } from './lookup.js';
import { addDays, dayOf } from './mexico-day.js';
import { isUncertain, type OrderState, type ReviewReason } from './order.js';
import { OFFER_MARGIN_MS } from './payment.js';

/** What the decision depends on. */
export interface OutsideInput {
  readonly order: { readonly state: OrderState; readonly reviewReason: ReviewReason | null };
  /** All attempts of the order. */
  readonly attempts: readonly StatedAttempt[];
  /** Results of the lookups that this request made for the order, by attempt id. Absent: it made none. */
  readonly lookups?: ReadonlyMap<string, LookupResult> | undefined;
  readonly environment: string;
  readonly at: number;
}

/** A payment past the gateway is recorded at most this many days after it. */
const MAX_DAYS_BACK = 31;

/**
 * Returns the first day in Mexico City on which an order may have been paid past the gateway. `isPlacedByUser`: the host's user
 * made the order, so that it may have been paid before.
 */
export function firstOutsideDay(createdAt: number, isPlacedByUser: boolean, at: number): string {
  const first = addDays(dayOf(at), -MAX_DAYS_BACK);
  const placed = dayOf(createdAt);
  return isPlacedByUser || placed < first ? first : placed;
}

/**
 * Why a person must not record an order as paid past the gateway, or replace it, now. `paid`: it is paid already. `in_review`: a decision comes first.
 * `answer_awaited`: an attempt is being started, or its outcome is unknown. `other_environment`: an attempt that has not ended
 * cannot be looked up. `open`: the customer may be paying, until this time in milliseconds since 1970. `unanswered`: a lookup
 * had no answer, or a payment may be on its way.
 */
export type PaymentObjection =
  | { readonly kind: 'paid' | 'in_review' | 'answer_awaited' | 'other_environment' | 'unanswered' }
  | { readonly kind: 'open'; readonly until: number };

/**
 * Returns why the order must not be recorded as paid past the gateway now, or `undefined`. With `lookups`, each attempt that
 * has not ended must have answered in this request that it waits for the customer only.
 */
export function findOutsideObjection(input: OutsideInput): PaymentObjection | undefined {
  return findObjection(input, blockedUntil);
}

/**
 * Returns why a new order must not take the place of the order now, as a person wants, or `undefined`. A page of the gateway may
 * be open: its payment pays the earlier order, and one of both is then a second payment. See {@link findOutsideObjection}.
 */
export function findReplacementObjection(input: OutsideInput): PaymentObjection | undefined {
  return findObjection(input, (attempt, attempts) => (attempt.flow === 'hosted' ? 0 : blockedUntil(attempt, attempts)));
}

function findObjection(
  { order, attempts, lookups, environment, at }: OutsideInput,
  untilOf: typeof blockedUntil,
): PaymentObjection | undefined {
  const states = attempts.map(({ state }) => state);
  if (order.state === 'paid') return { kind: 'paid' };
  if (order.state === 'outcome_unknown' || states.some((state) => state === 'creating' || state === 'unknown'))
    return { kind: 'answer_awaited' };
  const unended = attempts.filter(hasNotEnded);
  if (unended.some((attempt) => attempt.environment !== environment)) return { kind: 'other_environment' };
  const isInReview = isUncertain(order.state) || order.reviewReason !== null;
  if (isInReview || states.includes('review') || states.includes('paid')) return { kind: 'in_review' };
  const until = Math.max(0, ...unended.map((attempt) => untilOf(attempt, attempts)));
  if (at <= until) return { kind: 'open', until };
  const isAnswered = ({ id, isPlainPending }: StatedAttempt) => isPlainPending && lookups?.get(id) === 'answered';
  return lookups && !unended.every(isAnswered) ? { kind: 'unanswered' } : undefined;
}

/** Returns whether a payment at the gateway may be on its way. */
export function mayBeCharged(input: Omit<OutsideInput, 'lookups'>): boolean {
  return findOutsideObjection(input) !== undefined;
}

/** Returns until when a payment of an attempt may be on its way, in milliseconds since 1970. */
function blockedUntil(attempt: StatedAttempt, attempts: readonly StatedAttempt[]): number {
  if (!mayBePaid(attempt) || attempt.abandonedAt !== null) return 0;
  if (attempt.flow === 'hosted') return attempt.offerEndsAt + OFFER_MARGIN_MS;
  const untilAbandoned = mayBeAbandoned(attempt, attempts) ? attempt.createdAt + ABANDONED_AFTER_MS : Infinity;
  return Math.min(untilAbandoned, payAgainFrom(attempt));
}
