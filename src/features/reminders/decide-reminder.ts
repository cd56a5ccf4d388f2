/** Whether an unpaid order gets its reminder now. Pure rules. */

import { isPlainPending } from '@tianguis/payments/back-office';
import { type Attempt, type LookupResult, mayBePaid, type OrderState, UNPAID_ENDS } from '@tianguis/payments/rules';
import type { Order } from '../../tables/orders.js';

const HOUR_MS = 60 * 60_000;
/** Without an answer the interval grows to half of the time since the reminder was due, within these limits. */
const SHORTEST_RETRY_MS = 5 * 60_000;
const LONGEST_RETRY_MS = 6 * HOUR_MS;

const REMINDED_STATES: readonly OrderState[] = ['created', 'pending', 'declined', 'expired'];

export interface ReminderInput {
  readonly order: Pick<Order, 'state' | 'reviewReason' | 'supersededBy' | 'payableUntil' | 'email' | 'createdAt'>;
  /** An order that this one replaced is paid, in review, of unknown outcome, or has a live attempt. */
  readonly isBlocked: boolean;
  /** The customer paid the same products by other orders, or may have paid them. */
  readonly isBoughtAgain: boolean;
  /** Enough of each product is left, none is hidden, and the order can still be paid with its discount code. */
  readonly isOnSale: boolean;
  readonly attempts: readonly Attempt[];
  /** Results of lookups that were just made, by attempt id. Absent: none were made. */
  readonly lookups: ReadonlyMap<string, LookupResult> | undefined;
  /** Delay after the placement, in milliseconds. */
  readonly reminderMs: number;
  readonly at: number;
}

export type ReminderDecision =
  | { readonly kind: 'send' }
  /** The order gets no reminder. */
  | { readonly kind: 'never' }
  /** A payment may have arrived: look up, then decide again. */
  | { readonly kind: 'look_up' }
  /** Decide again at this time, in milliseconds since 1970. `no_answer`: no lookup shows that the order is unpaid. */
  | { readonly kind: 'too_early' | 'no_answer'; readonly until: number };

/** Decides about the reminder of an order. An order whose payment page was never offered gets none: programs create them. */
export function decideReminder(input: ReminderInput): ReminderDecision {
  const { order, isBlocked, isBoughtAgain, isOnSale, attempts, lookups, reminderMs, at } = input;
  if (!mayGetReminder(order, at) || isBlocked || isBoughtAgain) return { kind: 'never' };
  const offersEnded = Math.max(0, ...attempts.map(({ offerEndsAt }) => offerEndsAt));
  const dueAt = Math.max(order.createdAt + reminderMs, offersEnded + HOUR_MS);
  if (at < dueAt) return { kind: 'too_early', until: dueAt };
  if (!isOnSale) return { kind: 'never' };
  const unended = attempts.filter(({ state }) => !UNPAID_ENDS.includes(state));
  if (unended.length > 0 && !lookups) return { kind: 'look_up' };
  if (unended.every((attempt) => isUnpaid(attempt, lookups)))
    return { kind: attempts.some(wasOffered) ? 'send' : 'never' };
  const retryMs = Math.min(Math.max((at - dueAt) / 2, SHORTEST_RETRY_MS), LONGEST_RETRY_MS);
  return { kind: 'no_answer', until: Math.round(at + retryMs) };
}

/** The link must be open for one more hour, so that the customer can use it. */
function mayGetReminder(
  { state, reviewReason, supersededBy, payableUntil, email }: ReminderInput['order'],
  at: number,
): boolean {
  const isOpen = payableUntil !== null && at + HOUR_MS <= payableUntil;
  return isOpen && REMINDED_STATES.includes(state) && reviewReason === null && supersededBy === null && email !== '';
}

/** The customer had the address of the hosted page, or sent a card. */
function wasOffered({ flow, redirectUrl }: Attempt): boolean {
  return flow === 'card' || redirectUrl !== null;
}

/** Returns whether the lookup of an attempt returned plain `pending`, or no customer has the address of its page. */
function isUnpaid(attempt: Attempt, lookups: ReminderInput['lookups']): boolean {
  if (attempt.state === 'superseded' && !mayBePaid(attempt)) return true;
  return mayBePaid(attempt) && lookups?.get(attempt.id) === 'answered' && isPlainPending(attempt.gatewayStatus);
}
