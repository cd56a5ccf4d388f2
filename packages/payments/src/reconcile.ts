import type { PaymentContext } from './context.js';
import type { Attempt } from './rules/attempt.js';
import { errorName } from './rules/error-name.js';
import type { LookupResult } from './rules/lookup.js';
import { OFFER_MARGIN_MS } from './rules/payment.js';
import { randomFraction } from './rules/random.js';
import { findAttempt, type LookupQueue, leaseDueAttempts, scheduleCheck } from './store/attempts.js';
import { verifyPayment } from './verify-payment.js';
import { withDeadline } from './with-deadline.js';

const BATCH = 16;
const LEASE_MS = 60_000;
/** Below the lease, so that no other worker leases the attempt meanwhile. */
const DEADLINE_MS = 45_000;
const FIRST_DELAY_MS = 20_000;
const LONGEST_DELAY_MS = 300_000;
/** Maximum backoff while the gateway is unreachable. All orders are verified within 1 min after it recovers. */
const LONGEST_UNREACHABLE_DELAY_MS = 40_000;
const OVER_BUDGET_DELAY_MS = 5_000;
const WATCH_OVER_BUDGET_DELAY_MS = 60_000;

/** After the offer an attempt is looked up again after a tenth of the time since its end, within these limits. */
const SHORTEST_WATCH_MS = 4.5 * 60_000;
const LONGEST_WATCH_MS = 60 * 60_000;
/** From the third day on. */
const SLOW_WATCH_AFTER_MS = 48 * 60 * 60_000;
const SLOW_WATCH_MS = 6 * 60 * 60_000;

/** An attempt of another environment cannot be looked up. `resumeLookups` ends the delay when its environment is back. */
const OTHER_ENVIRONMENT_DELAY_MS = 6 * 60 * 60 * 1000;
/** Attempts in review are looked up for 48 h after their last change, in case they are paid late. */
const WATCH_REVIEW_MS = 48 * 60 * 60 * 1000;

/** The longest delay of an attempt that can be looked up, with jitter (25 %), in milliseconds. */
export const LONGEST_LOOKUP_DELAY_MS = LONGEST_DELAY_MS * 1.25;

/**
 * Looks up one batch of due attempts and returns the number of leased attempts. Leases let any number of processes share
 * the work and expire after a crash. A failed lookup does not affect others and is due again when its lease expires.
 */
export async function reconcile(context: PaymentContext, queue: LookupQueue): Promise<number> {
  const at = context.clock.now();
  const due = await leaseDueAttempts(context.db.queries, queue, { at, leaseUntil: at + LEASE_MS, limit: BATCH });
  await Promise.all(
    due.map((attempt) =>
      withDeadline(DEADLINE_MS, () => lookUpAndReschedule(context, attempt)).catch((error: unknown) =>
        context.log.error('attempt.reconcile_failed', { attempt: attempt.id, reason: errorName(error) }),
      ),
    ),
  );
  return due.length;
}

async function lookUpAndReschedule(context: PaymentContext, attempt: Attempt): Promise<void> {
  const { db, observer } = context;
  const { lookups } = await verifyPayment(context, attempt.orderId, 'worker');
  // Absent if the attempt is still being started or has ended.
  const result = lookups.get(attempt.id) ?? 'answered';
  observer.lookupRequested(attempt.flow, result !== 'over_budget');
  const after = await findAttempt(db.queries, attempt.id);
  if (!after) return;
  const checks = attempt.checks + (result === 'over_budget' ? 0 : 1);
  const next = { nextCheckAt: nextCheckAt(context, after, checks, result), checks };
  await scheduleCheck(db.queries, attempt.id, next);
}

/** Returns the time of the next lookup: exponential backoff with jitter, and one lookup right after the offer and its margin. */
function nextCheckAt(
  { clock, random }: PaymentContext,
  { state, offerEndsAt, updatedAt }: Attempt,
  checks: number,
  result: LookupResult,
): number {
  const now = clock.now();
  const jitter = randomFraction(random);
  if (state === 'review' && now - updatedAt > WATCH_REVIEW_MS) return Number.MAX_SAFE_INTEGER;
  if (result === 'other_environment') return now + withJitter(OTHER_ENVIRONMENT_DELAY_MS, jitter);
  const firstAfterOffer = offerEndsAt + OFFER_MARGIN_MS + 1_000;
  const isOfferOver = now >= firstAfterOffer;
  if (result === 'over_budget')
    return now + withJitter(isOfferOver ? WATCH_OVER_BUDGET_DELAY_MS : OVER_BUDGET_DELAY_MS, jitter);
  if (isOfferOver) return now + watchInterval(now - offerEndsAt, jitter);
  const backoff = FIRST_DELAY_MS * 1.6 ** (checks - 1);
  const longest = result === 'unreachable' ? LONGEST_UNREACHABLE_DELAY_MS : LONGEST_DELAY_MS;
  return Math.min(now + withJitter(Math.min(longest, backoff), jitter), firstAfterOffer);
}

/** The jitter only shortens an interval, and never below the shortest one. */
function watchInterval(sinceEndMs: number, jitter: number): number {
  const longest = sinceEndMs > SLOW_WATCH_AFTER_MS ? SLOW_WATCH_MS : LONGEST_WATCH_MS;
  const interval = sinceEndMs > SLOW_WATCH_AFTER_MS ? longest : Math.min(longest, sinceEndMs / 10);
  return Math.round(Math.max(SHORTEST_WATCH_MS, interval * (0.75 + jitter * 0.25)));
}

function withJitter(delayMs: number, jitter: number): number {
  return Math.round(delayMs * (0.75 + jitter * 0.5));
}
