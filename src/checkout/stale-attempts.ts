/** Attempts that cannot be continued: abandoned 3D Secure pages, expired leases, another gateway environment. */
import { type Attempt, type AttemptPatch, findAttempts, hasNotEnded, isOffered, isPayable } from '../db/attempts.js';
import type { Queries } from '../db/connection/database.js';
import { lockOrder, patchOrder, recordEvent } from '../db/orders.js';
import { hasFailedTry, isDeclinedTry, isPlainPending } from '../gateway/status.js';
import { applyTransition, queueMerchantMails } from './apply-transition.js';
import type { CheckoutContext } from './context.js';
import type { Trigger } from './lookups.js';

/** 8 min, plus 30 s because the attempt is created up to 25 s before the redirect. */
const ABANDONED_AFTER_MS = 8.5 * 60_000;
/** After its offer a page may still complete a payment that the customer began. */
const PAY_AGAIN_AFTER_MS = 30 * 60_000;
/** Attempts of one order that may still be paid at the same time, the new one included. */
const MAX_UNENDED = 3;

/**
 * Returns whether the customer may replace a live card payment that waits for 3D Secure. The customer must not have
 * returned, and the last lookup must have returned plain `pending`. Allowed once per order.
 * The bank may still approve the payment, so the attempt stays watched.
 */
export function isAbandoned(live: Attempt, attempts: readonly Attempt[], now: number): boolean {
  return (
    live.flow === 'card' &&
    live.state === 'open' &&
    live.redirectUrl !== null &&
    live.returnedAt === null &&
    now - live.createdAt >= ABANDONED_AFTER_MS &&
    isPlainPending(live.gatewayStatus) &&
    attempts.every((attempt) => attempt.abandonedAt === null)
  );
}

/**
 * Returns whether the customer may start another attempt beside one that may still be paid, after a warning. The last
 * lookup must have returned plain `pending`. No payment may be on its way: the page is open before the customer, its last
 * card failed, its offer ended 30 min ago, or the customer gave up its 3D Secure page.
 */
function mayStartBeside(attempt: Attempt, attempts: readonly Attempt[], now: number): boolean {
  if (!isPlainPending(attempt.gatewayStatus)) return false;
  const isGivenUp = attempt.abandonedAt !== null || isAbandoned(attempt, attempts, now);
  return isOffered(attempt, now) || hasFailedTry(attempt.gatewayStatus) || isGivenUp || now >= payAgainFrom(attempt);
}

/** Returns whether another attempt may start beside these payable ones of all attempts of an order, after a warning. */
export function mayStartAnother(payable: readonly Attempt[], attempts: readonly Attempt[], now: number): boolean {
  return payable.length < MAX_UNENDED && payable.every((each) => mayStartBeside(each, attempts, now));
}

function payAgainFrom({ offerEndsAt }: Attempt): number {
  return offerEndsAt + PAY_AGAIN_AFTER_MS;
}

/**
 * Returns when the attempts of an order no longer keep the customer from another one, in milliseconds since 1970.
 * `undefined`: now, or a payment may be on its way, which does not end by time.
 */
export function payAgainTime(attempts: readonly Attempt[], now: number): number | undefined {
  const blocking = attempts.filter((each) => isPayable(each) && !mayStartBeside(each, attempts, now));
  if (blocking.length === 0 || !blocking.every(({ gatewayStatus }) => isPlainPending(gatewayStatus))) return undefined;
  return Math.max(...blocking.map(payAgainFrom));
}

/** Returns whether the bank declined the last card on the attempt's open hosted page, which takes another one. */
export function isDeclinedOnPage({ state, gatewayStatus }: Attempt): boolean {
  return state === 'open' && isDeclinedTry(gatewayStatus);
}

/** Returns the column that marks a live card payment as abandoned. Its customer starts another attempt or order. */
export function abandonmentOf(
  { policy }: CheckoutContext,
  { live, flow, environment }: Attempt,
  at: number,
): AttemptPatch | undefined {
  // An attempt of another environment is replaced without asking the customer.
  const isGivenUp = live === 1 && flow === 'card' && environment === policy.environment;
  return isGivenUp ? { abandonedAt: at } : undefined;
}

/**
 * Returns whether the lease of an attempt expired before the gateway's response was stored. The attempt may be superseded,
 * because its order was replaced meanwhile.
 */
export function isLeaseExpired(
  { state, gatewayId, leasedUntil }: Pick<Attempt, 'state' | 'gatewayId' | 'leasedUntil'>,
  now: number,
): boolean {
  const isAwaited = state === 'creating' || (state === 'superseded' && gatewayId === null);
  return isAwaited && leasedUntil < now;
}

/**
 * Ends an attempt whose lease expired before the gateway's response was stored. A hosted attempt has failed, because no
 * customer got the address of its session. A card may have been charged, so its attempt is `unknown` and not sent again.
 */
export async function expireAttemptLease(context: CheckoutContext, orderId: string, trigger: Trigger): Promise<void> {
  const findStale = async (queries: Queries) =>
    (await findAttempts(queries, orderId)).find((attempt) => isLeaseExpired(attempt, context.clock.now()));
  if (!(await findStale(context.db.queries))) return;
  await context.db.transaction(async (queries) => {
    const order = await lockOrder(queries, orderId);
    const attempt = await findStale(queries);
    if (!attempt) return;
    const { flow, ordinal } = attempt;
    const state = flow === 'card' ? 'unknown' : 'failed';
    const { attempt: expired } = await applyTransition(queries, context, {
      order,
      attempt,
      event: { type: flow === 'card' ? 'answer_lost' : 'start_failed' },
      trigger,
      at: context.clock.now(),
      history: { kind: 'attempt_lapsed', detail: { attempt: ordinal, state } },
    });
    const fields = { order: order.number, attempt: expired.id, flow, to: expired.state };
    queries.onCommit(() => context.log.warn('attempt.lease_expired', fields));
  });
}

/** Flags an order for review whose attempt cannot be looked up with the current settings. */
export async function flagOtherEnvironment(context: CheckoutContext, attempt: Attempt): Promise<void> {
  if (!hasNotEnded(attempt)) return;
  const at = context.clock.now();
  await context.db.transaction(async (queries) => {
    const order = await lockOrder(queries, attempt.orderId);
    if (order.state === 'paid' || order.reviewReason !== null) return;
    const after = await patchOrder(queries, order, { at, patch: { reviewReason: 'other_environment' } });
    await queueMerchantMails(queries, context, { before: order, after, at });
    const detail = { attempt: attempt.ordinal };
    await recordEvent(queries, { orderId: order.id, at, kind: 'other_environment', detail });
    const fields = { order: order.number, attempt: attempt.id };
    queries.onCommit(() => context.log.warn('attempt.environment_mismatched', fields));
  });
}
