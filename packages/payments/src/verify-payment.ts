import { applyTransition } from './apply-transition.js';
import { HostFailedError, tryHost } from './call-host.js';
import type { PaymentContext } from './context.js';
import { expireAttemptLease } from './expire-lease.js';
import { GatewayError, gatewayErrorOf } from './gateway/errors.js';
import { lookUpOnce } from './lookups.js';
import { reportChange } from './report-change.js';
import { type Attempt, hasNotEnded, type WatchedAttempt } from './rules/attempt.js';
import { changesRow } from './rules/changes-row.js';
import { numberInReference } from './rules/ids.js';
import type { LookupResult, Trigger } from './rules/lookup.js';
import { type Centavos, CURRENCY } from './rules/money.js';
import {
  agrees,
  type ExpectedPayment,
  evaluateFailedLookup,
  evaluatePayment,
  type GatewayPayment,
  type PaymentResult,
  type Phase,
  phaseOf,
} from './rules/payment.js';
import type { PaymentEvent } from './rules/transition.js';
import {
  type AttemptPatch,
  acquireLookup,
  findAttempts,
  findWatchedAttempts,
  makeAttemptsDue,
  markNotFound,
  putKeyFingerprint,
  releaseLookup,
} from './store/attempts.js';
import { findOrder, lockOrder, type Order, type OrderEvent, patchOrder, recordEvent } from './store/orders.js';

/** Minimum interval between lookups of one attempt by self-refreshing pages. */
const PAGE_FRESH_MS = 2_000;
/** The same after the offer. */
const ENDED_PAGE_FRESH_MS = 60_000;
/** The gateway's clock may differ by this much. */
const CLOCK_MARGIN_MS = 5 * 60_000;
/** Minimum interval between lookups of one attempt by worker and webhooks. */
const BACKGROUND_FRESH_MS = 1_000;

export interface Verified<O = Order> {
  readonly order: O;
  /** Whether each lookup returned a payment. A recent lookup is enough, answered or not, except for a webhook. */
  readonly lookupsSucceeded: boolean;
  /** Result of each lookup, by attempt id. */
  readonly lookups: ReadonlyMap<string, LookupResult>;
}

/**
 * Looks up each attempt of an order that may still change, evaluates the gateway payments and applies the transitions.
 * Nothing else makes an order paid. A gateway fault does not throw: `lookupsSucceeded` is false, and only an attempt whose
 * offer is over may change.
 * Throws if the order does not exist or the database fails.
 */
export async function verifyPayment(context: PaymentContext, orderId: string, trigger: Trigger): Promise<Verified> {
  await expireAttemptLease(context, orderId, trigger);
  // Webhooks, returns and manual checks may report a payment on an attempt that already ended, so ended ones are included.
  const includesEnded = trigger === 'webhook' || trigger === 'return' || trigger === 'merchant';
  const attempts = await findWatchedAttempts(context.db.queries, orderId, includesEnded);
  const results = await Promise.all(
    attempts.map(async (attempt) => {
      const start = () => verifyAttempt(context, attempt, trigger);
      const result = await lookUpOnce(context.lookups, attempt.id, start, acceptsRecent(trigger));
      return [attempt.id, result] as const;
    }),
  );
  const order = await findOrder(context.db.queries, orderId);
  if (!order) throw new Error(`no order has the id ${orderId}`);
  const lookupsSucceeded = results.every(
    ([, result]) => result === 'answered' || (result === 'recent' && trigger !== 'webhook'),
  );
  return { order, lookupsSucceeded, lookups: new Map(results) };
}

function acceptsRecent(trigger: Trigger): boolean {
  return trigger === 'order_page' || trigger === 'worker' || trigger === 'webhook';
}

/** Maximum age of a lookup that serves this trigger, in milliseconds. */
function freshMs(trigger: Trigger, isOfferOver: boolean): number {
  if (!acceptsRecent(trigger)) return 0;
  if (trigger !== 'order_page') return BACKGROUND_FRESH_MS;
  return isOfferOver ? ENDED_PAGE_FRESH_MS : PAGE_FRESH_MS;
}

/** Returns the phase of an attempt. One that ended or is in review has no offer that could end. */
function phaseNow(attempt: Attempt, now: number): Phase {
  return hasNotEnded(attempt) ? phaseOf(attempt.offerEndsAt, now) : 'offered';
}

async function verifyAttempt(
  context: PaymentContext,
  attempt: WatchedAttempt,
  trigger: Trigger,
): Promise<LookupResult> {
  const { db, clock, config, lookupBudget } = context;
  if (attempt.environment !== config.environment) {
    await flagOtherEnvironment(context, attempt);
    return 'other_environment';
  }
  const at = clock.now();
  const isOfferOver = phaseNow(attempt, at) !== 'offered';
  const notSince = at - freshMs(trigger, isOfferOver);
  if (!(await acquireLookup(db.queries, attempt.id, { at, notSince }))) return 'recent';
  // The first lookup after an offer ends it, so it is not delayed by those that follow.
  if (!(await lookupBudget.take(attempt.flow, trigger, isOfferOver && attempt.state !== 'open'))) {
    // No lookup was made, so the next caller must not rely on it.
    await releaseLookup(db.queries, attempt, at);
    if (trigger === 'return') await makeAttemptsDue(db.queries, attempt.orderId, at);
    return 'over_budget';
  }
  return lookUpAndApply(context, attempt, trigger);
}

async function lookUpAndApply(
  context: PaymentContext,
  attempt: WatchedAttempt,
  trigger: Trigger,
): Promise<LookupResult> {
  const { clock, gateway } = context;
  const expected = expectedOf(attempt);
  const startedAt = clock.now();
  const response = await gateway.lookUp(attempt.flow, expected.gatewayId).catch(gatewayErrorOf);
  const lookup = { attempt, trigger, ms: Math.max(0, clock.now() - startedAt) };
  if (response instanceof GatewayError) return applyFailure(context, lookup, response);
  // A late answer shows how the payment was when it was requested.
  const result = evaluatePayment(response, expected, phaseNow(attempt, startedAt));
  const { gatewayStatus } = response;
  const isAgreed = agrees(response, expected);
  if (result.kind !== 'pending' && attempt.state !== 'paid') logUnusedValues(context, attempt, response);
  await apply(context, { ...lookup, result, gatewayStatus, payment: response, isAgreed });
  // An answer about another payment does not show whether this one was made.
  return isAgreed || result.kind === 'review' ? 'answered' : 'unreachable';
}

/** Logs the values of an answer that decided about an attempt and that are not used: unreadable ones, and a limited time. */
function logUnusedValues({ log, clock }: PaymentContext, attempt: WatchedAttempt, payment: GatewayPayment): void {
  const call = attempt.flow === 'hosted' ? 'read-session' : 'read-transaction';
  const order = numberInReference(attempt.reference);
  const { paidAt = attempt.createdAt, unread = [] } = payment;
  const isLimited = paidAt < attempt.createdAt - CLOCK_MARGIN_MS || paidAt > clock.now() + CLOCK_MARGIN_MS;
  for (const member of isLimited ? [...unread, 'paid_at'] : unread)
    log.warn('gateway.value_unused', { order, attempt: attempt.id, call, member });
}

/** Returns what the gateway's answer for an attempt must match. */
export function expectedOf({
  gatewayId,
  idSource,
  flow,
  amount,
  reference,
  redirectUrl,
}: WatchedAttempt): ExpectedPayment {
  return { gatewayId, idSource, amount, reference, awaitsBank: flow === 'card' && redirectUrl !== null };
}

type Lookup = Pick<LookupOutcome, 'attempt' | 'trigger' | 'ms'>;

/** Applies a lookup that returned no payment. Before the end of the offer it changes nothing. */
async function applyFailure(context: PaymentContext, lookup: Lookup, error: GatewayError): Promise<LookupResult> {
  const { attempt, trigger } = lookup;
  const { call, code, status, reason } = error;
  const order = numberInReference(attempt.reference);
  context.log.warn('lookup.failed', { attempt: attempt.id, order, trigger, call, code, status, reason });
  const isNotFound = code === 'not_found';
  const isOtherKey = attempt.keyFingerprint !== context.config.keyFingerprint;
  // Another account may use the new key. As long as no call succeeded with it, nothing is proven.
  const { flow, foundAt, notFoundAt } = attempt;
  const now = context.clock.now();
  const phase = phaseNow(attempt, now);
  if (isNotFound && isOtherKey && phase !== 'over' && context.gateway.hasSucceeded()) {
    await flagOtherEnvironment(context, attempt);
    return 'other_environment';
  }
  const failed = { flow, isNotFound, isOtherKey, wasFound: foundAt !== null, notFoundAt, now };
  const result = evaluateFailedLookup(failed, phase);
  if (result) await apply(context, { ...lookup, result, gatewayStatus: code, isAgreed: false });
  else if (isNotFound && phase !== 'offered') await markNotFound(context.db.queries, attempt.id, now);
  return isNotFound && !isOtherKey ? 'not_found' : 'unreachable';
}

/** Flags an order for review whose attempt cannot be looked up with the current settings. */
async function flagOtherEnvironment(context: PaymentContext, attempt: Attempt): Promise<void> {
  if (!hasNotEnded(attempt)) return;
  const at = context.clock.now();
  const applied = await context.db.transaction(async (queries) => {
    const order = await lockOrder(queries, attempt.orderId);
    if (order.state === 'paid' || order.reviewReason !== null) return undefined;
    const after = await patchOrder(queries, order, { at, patch: { reviewReason: 'other_environment' } });
    const detail = { attempt: attempt.ordinal };
    await recordEvent(queries, { orderId: order.id, at, kind: 'other_environment', detail });
    const fields = { order: order.number, attempt: attempt.id };
    queries.onCommit(() => context.log.warn('attempt.environment_mismatched', fields));
    const change = { before: order, after, cause: 'looked_up', at } as const;
    return { order: after, attempt: undefined, change };
  });
  await reportChange(context, applied);
}

interface LookupOutcome {
  readonly attempt: WatchedAttempt;
  readonly trigger: Trigger;
  readonly result: PaymentResult;
  /** The gateway's own status words, or the error code of a failed lookup. */
  readonly gatewayStatus: string;
  /** Absent if the lookup failed. */
  readonly payment?: GatewayPayment;
  /** Whether id, amount, currency and reference are those of the attempt. */
  readonly isAgreed: boolean;
  /** Duration of the lookup in milliseconds. */
  readonly ms: number;
}

/** Applies the result of a lookup in one transaction that locks the order. */
async function apply(context: PaymentContext, outcome: LookupOutcome): Promise<void> {
  const { attempt: lookedUp, result, trigger } = outcome;
  await context.db.transaction(async (queries) => {
    // For the lock order see README.md.
    const locked = await tryHost(queries, 'lockBefore', () => context.host.lockBefore(queries, [lookedUp.orderId]));
    const order = await lockOrder(queries, lookedUp.orderId);
    const attempts = await findAttempts(queries, order.id);
    const attempt = attempts.find(({ id }) => id === lookedUp.id);
    // The id was removed while the lookup was in flight.
    if (!attempt || attempt.gatewayId !== lookedUp.gatewayId) return;
    const at = context.clock.now();
    const { config } = context;
    if (outcome.isAgreed && attempt.keyFingerprint !== config.keyFingerprint)
      await putKeyFingerprint(queries, attempt.id, config.keyFingerprint);
    const isFlagged = order.reviewReason === 'other_environment';
    const isCleared =
      outcome.isAgreed && !attempts.some((other) => other.id !== attempt.id && isElsewhere(other, config));
    const kind = result.kind === 'never_completed' ? 'never_completed' : 'lookup_answered';
    await applyTransition(queries, context, {
      order,
      attempt,
      event: eventOf(result),
      trigger,
      at,
      patch: patchOf(attempt, outcome, at),
      orderPatch: isFlagged && isCleared ? { reviewReason: null } : undefined,
      paidAt: paidAtOf(attempt, outcome, at),
      history: { kind, detail: answerDetail(outcome) },
      hostFailure: locked instanceof HostFailedError ? locked : undefined,
    });
  });
}

function eventOf(result: PaymentResult): PaymentEvent {
  if (result.kind === 'offer_ended') return { type: 'offer_ended' };
  return { type: 'looked_up', result: result.kind === 'never_completed' ? { kind: 'expired' } : result };
}

/** Returns whether an attempt cannot be looked up, or no lookup with the present key has answered for it yet. */
function isElsewhere(attempt: Attempt, { environment, keyFingerprint }: PaymentContext['config']): boolean {
  return hasNotEnded(attempt) && (attempt.environment !== environment || attempt.keyFingerprint !== keyFingerprint);
}

/** Returns the gateway's time of the payment, between the attempt's creation and now. Absent: the answer has none. */
function paidAtOf({ createdAt }: Attempt, { payment }: LookupOutcome, at: number): number | undefined {
  return payment?.paidAt === undefined ? undefined : Math.min(Math.max(payment.paidAt, createdAt), at);
}

/** Returns the columns that a lookup changes. A paid or refunded attempt keeps the answer that proved the payment. */
function patchOf(attempt: Attempt, outcome: LookupOutcome, at: number): AttemptPatch | undefined {
  const { payment, result } = outcome;
  if (attempt.state === 'paid' || attempt.state === 'refunded') return undefined;
  // Without a payment, `gatewayStatus` is the code of an error.
  if (payment && !outcome.isAgreed && result.kind === 'pending') return undefined;
  const isFound = payment?.gatewayId === attempt.gatewayId;
  const patch = {
    gatewayStatus: statusAfter(attempt, outcome.gatewayStatus),
    foundAt: attempt.foundAt ?? (isFound ? at : null),
    notFoundAt: isFound ? null : attempt.notFoundAt,
    confirmedAmount: amountConfirmedBy(outcome) ?? attempt.confirmedAmount,
    neverCompletedAt: result.kind === 'never_completed' ? at : attempt.neverCompletedAt,
    ...(isFound && numbersAfter(attempt, payment)),
  };
  return changesRow(attempt, patch) ? patch : undefined;
}

/** A member that an answer omits keeps its value. */
function numbersAfter(attempt: Attempt, { numbers }: GatewayPayment) {
  return {
    transactionId: numbers?.transactionId ?? attempt.transactionId,
    paymentId: numbers?.paymentId ?? attempt.paymentId,
    provider: numbers?.provider ?? attempt.provider,
  };
}

/** Returns the amount that the gateway confirms as paid under the attempt's own id, in the shop's currency. */
function amountConfirmedBy({ attempt, payment }: LookupOutcome): Centavos | undefined {
  const isConfirmed =
    payment?.status === 'paid' && payment.gatewayId === attempt.gatewayId && payment.currency === CURRENCY;
  return isConfirmed ? payment.amount : undefined;
}

/** Returns the new status. Keeps a stored one that also has the decline code, which lookups may omit. */
function statusAfter({ flow, gatewayStatus: known }: Attempt, gatewayStatus: string): string {
  return flow === 'card' && known?.startsWith(`${gatewayStatus}/`) ? known : gatewayStatus;
}

/** Returns the history entry of a lookup, with both amounts in centavos if they differ. Contains no personal data. */
function answerDetail(outcome: LookupOutcome): OrderEvent['detail'] {
  const { attempt, gatewayStatus, result, trigger, ms, payment } = outcome;
  const call = attempt.flow === 'hosted' ? 'read_session' : 'read_transaction';
  const isOther = payment?.amount !== attempt.amount || payment.currency !== CURRENCY;
  // The gateway's currency is a free text. Only a currency code is stored.
  const paidCurrency = /^[A-Z]{3}$/i.exec(payment?.currency ?? '')?.[0];
  const amounts = { paidAmount: payment?.amount, paidCurrency, expectedAmount: attempt.amount };
  const differing = payment?.status === 'paid' && isOther ? amounts : {};
  return { attempt: attempt.ordinal, call, gatewayStatus, ...differing, result: result.kind, trigger, ms };
}
