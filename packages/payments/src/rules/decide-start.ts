/** How an order is paid now, beside the attempts that it has. Pure rules. */

import { type Attempt, isLeaseExpired, isOffered, mayBePaid, type StatedAttempt } from './attempt.js';
import { hasNoAnswer, type LookupResult } from './lookup.js';
import { isUncertain, type OrderState, type PaymentFlow } from './order.js';

/** In milliseconds. A younger attempt of the same flow needs no lookup: a double click is likely. */
const JUST_OPENED_MS = 3_000;
/** 8 min, plus 30 s because the attempt is created up to 25 s before the redirect. */
export const ABANDONED_AFTER_MS = 8.5 * 60_000;
/** After its offer a page may still complete a payment that the customer began. */
const PAY_AGAIN_AFTER_MS = 30 * 60_000;
/** Attempts of one order that may still be paid at the same time, the new one included. */
const MAX_UNENDED = 3;

const TEN_MINUTES_MS = 10 * 60_000;
/** Card payments of an order beside which other persons may try a card: in 10 min, and in its life. Cards may be stolen. */
const MAX_LINK_CARDS = 3;
const MAX_LINK_CARDS_IN_LIFE = 10;

/** What the decision depends on, read with the order locked. */
export interface StartInput {
  readonly state: OrderState;
  /** Until when the order can be paid. Null: not any more. */
  readonly payableUntil: number | null;
  /** Another order replaced this one, or a replaced one is paid, in review, of unknown outcome, or has a live attempt. */
  readonly isBlocked: boolean;
  readonly flow: PaymentFlow;
  /** The customer confirmed the warning that an earlier attempt may still be charged. */
  readonly payAgain: boolean;
  /** The order is paid from its link. */
  readonly isFromLink?: boolean | undefined;
  /** A person pays who does not own the order. Limits its card payments. */
  readonly isByOther?: boolean | undefined;
  readonly attempts: readonly StatedAttempt[];
  /** Results of the lookups that this request made for the order, by attempt id. Absent: it made none. */
  readonly lookups?: ReadonlyMap<string, LookupResult> | undefined;
  readonly environment: string;
  readonly at: number;
}

export type StartDecision =
  /** A new attempt starts. It supersedes the live one, if any. */
  | { readonly kind: 'lease' }
  /** The customer continues on a page that is still open. */
  | { readonly kind: 'redirect'; readonly url: string }
  /** Another caller starts an attempt: wait and read again. */
  | { readonly kind: 'busy' }
  /** A payment may have arrived: look up, then read again. */
  | { readonly kind: 'verify_first' }
  /** A lookup had no answer, so no attempt starts. */
  | { readonly kind: 'unavailable' }
  /** Too many cards were tried. The next one may start at this time, in milliseconds since 1970. */
  | { readonly kind: 'limited'; readonly until: number }
  | { readonly kind: 'confirm_pay_again' }
  | { readonly kind: 'show_order' };

/**
 * Decides how an order is paid by this flow now. Pure. Beside attempts that may still be paid, a new one starts only if each
 * was looked up in this request, allows it, and the customer confirmed the warning.
 */
export function decideStart(input: StartInput): StartDecision {
  const { state, payableUntil, isBlocked, isByOther, attempts, flow, lookups, environment, at } = input;
  if (state === 'paid' || isUncertain(state) || isBlocked) return { kind: 'show_order' };
  if (payableUntil === null || at >= payableUntil) return { kind: 'show_order' };
  const until = isByOther && flow === 'card' ? Math.min(nextCardTime(attempts), payableUntil) : at;
  if (at < until) return { kind: 'limited', until };
  const live = attempts.find((attempt) => attempt.live === 1);
  if (live?.state === 'creating') return { kind: isLeaseExpired(live, at) ? 'verify_first' : 'busy' };
  // An attempt of other addresses cannot be looked up. It does not keep the customer from paying.
  const unended = attempts.filter((attempt) => mayBePaid(attempt) && attempt.environment === environment);
  const isJustOpened = live?.flow === flow && at - live.createdAt < JUST_OPENED_MS && at < live.offerEndsAt;
  if (unended.length > 0 && !lookups && !(isJustOpened && unended.length === 1)) return { kind: 'verify_first' };
  return decideBeside(input, unended, live?.flow === 'card');
}

/** Returns when a person who does not own the order may try a card, in milliseconds since 1970. `Infinity`: never again. */
export function nextCardTime(attempts: readonly Attempt[]): number {
  const cards = attempts.filter(({ flow }) => flow === 'card');
  if (cards.length >= MAX_LINK_CARDS_IN_LIFE) return Infinity;
  return (cards.at(-MAX_LINK_CARDS)?.createdAt ?? -TEN_MINUTES_MS) + TEN_MINUTES_MS;
}

/** Decides beside the attempts that may still be paid. `isAtBank`: one of them is a card payment at the bank. */
function decideBeside(
  { attempts, flow, payAgain, isFromLink, lookups, at }: StartInput,
  unended: readonly StatedAttempt[],
  isAtBank: boolean,
): StartDecision {
  const resultOf = ({ id }: Attempt) => lookups?.get(id);
  // A page whose lookup failed may still be shown, but not one that the gateway does not know.
  const isUnknown = (attempt: Attempt) => ['not_found', 'other_environment'].includes(resultOf(attempt) ?? '');
  const page = unended.findLast((attempt) => isOffered(attempt, at) && !isUnknown(attempt));
  if (flow === 'hosted' && page?.redirectUrl && !isAtBank) return { kind: 'redirect', url: page.redirectUrl };
  // The order page shows that the bank's page is still open.
  if (!isAtBank && unended.some((attempt) => hasNoAnswer(resultOf(attempt)))) return { kind: 'unavailable' };
  const open = unended.filter((attempt) => resultOf(attempt) !== 'other_environment');
  const isAnswered = open.every((attempt) => resultOf(attempt) === 'answered');
  if (!isAnswered || !mayStartAnother(open, attempts, at)) return { kind: 'show_order' };
  if (payAgain || open.length === 0) return { kind: 'lease' };
  // On the order page only a customer with ownership can choose to pay again.
  return { kind: isAtBank && !isFromLink ? 'show_order' : 'confirm_pay_again' };
}

/**
 * Returns whether the customer may replace a live card payment that waits for 3D Secure. The customer must not have
 * returned, and the last lookup must have returned plain `pending`. Allowed once per order.
 * The bank may still approve the payment, so the attempt stays watched.
 */
export function isAbandoned(live: StatedAttempt, attempts: readonly Attempt[], now: number): boolean {
  return now - live.createdAt >= ABANDONED_AFTER_MS && mayBeAbandoned(live, attempts);
}

/** Returns whether a live card payment counts as abandoned, now or later. */
export function mayBeAbandoned(live: StatedAttempt, attempts: readonly Attempt[]): boolean {
  return (
    live.flow === 'card' &&
    live.state === 'open' &&
    live.redirectUrl !== null &&
    live.returnedAt === null &&
    live.isPlainPending &&
    attempts.every((attempt) => attempt.abandonedAt === null)
  );
}

/**
 * Returns whether the customer may start another attempt beside one that may still be paid, after a warning. The last
 * lookup must have returned plain `pending`. No payment may be on its way: the page is open before the customer, its last
 * card failed, its offer ended 30 min ago, or the customer gave up its 3D Secure page.
 */
function mayStartBeside(attempt: StatedAttempt, attempts: readonly Attempt[], now: number): boolean {
  if (!attempt.isPlainPending) return false;
  const isGivenUp = attempt.abandonedAt !== null || isAbandoned(attempt, attempts, now);
  return isOffered(attempt, now) || attempt.hasFailedTry || isGivenUp || now >= payAgainFrom(attempt);
}

/** Returns whether another attempt may start beside these unended ones of all attempts of an order, after a warning. */
export function mayStartAnother(unended: readonly StatedAttempt[], attempts: readonly Attempt[], now: number): boolean {
  return unended.length < MAX_UNENDED && unended.every((each) => mayStartBeside(each, attempts, now));
}

/** Returns when a payment that began during the offer has ended, in milliseconds since 1970. */
export function payAgainFrom({ offerEndsAt }: Attempt): number {
  return offerEndsAt + PAY_AGAIN_AFTER_MS;
}

/**
 * Returns when the attempts of an order no longer keep the customer from another one, in milliseconds since 1970.
 * `undefined`: now, or a payment may be on its way, which does not end by time.
 */
export function payAgainTime(attempts: readonly StatedAttempt[], now: number): number | undefined {
  const blocking = attempts.filter((each) => mayBePaid(each) && !mayStartBeside(each, attempts, now));
  if (blocking.length === 0 || !blocking.every(({ isPlainPending }) => isPlainPending)) return undefined;
  return Math.max(...blocking.map(payAgainFrom));
}

/** Returns the column that marks a live card payment as abandoned. Its customer starts another attempt or order. */
export function abandonmentOf(
  { live, flow, environment }: Attempt,
  present: string,
  at: number,
): Pick<Attempt, 'abandonedAt'> | undefined {
  // An attempt of another environment is replaced without asking the customer.
  return live === 1 && flow === 'card' && environment === present ? { abandonedAt: at } : undefined;
}

/** Returns whether the bank declined the last card on the attempt's open hosted page, which takes another one. */
export function isDeclinedOnPage({ state, hasDeclinedTry }: StatedAttempt): boolean {
  return state === 'open' && hasDeclinedTry;
}
