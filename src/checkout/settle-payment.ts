import {
  type Attempt,
  type AttemptPatch,
  acquireLookup,
  findAttempts,
  findWatchedAttempts,
  hasNotEnded,
  makeAttemptsDue,
} from '../db/attempts.js';
import { lockCartOfOrder } from '../db/carts.js';
import { findOrder, lockOrder, type Order, type OrderEvent } from '../db/orders.js';
import { changesRow } from '../domain/changes-row.js';
import { numberInReference } from '../domain/ids.js';
import { type Centavos, CURRENCY } from '../domain/money.js';
import {
  evaluateAfterExpiry,
  evaluateNotFound,
  evaluatePayment,
  type GatewayPayment,
  type PaymentResult,
} from '../domain/payment.js';
import { GatewayError, gatewayErrorOf } from '../gateway/errors.js';
import { applyTransition, reportTransition } from './apply-transition.js';
import type { CheckoutContext } from './context.js';
import { type LookupResult, lookUpOnce, type Trigger } from './lookups.js';
import { expireAttemptLease, flagOtherEnvironment } from './stale-attempts.js';

/** Minimum interval between lookups of one attempt by self-refreshing pages. */
const PAGE_FRESH_MS = 2_000;
/** Minimum interval between lookups of one attempt by worker and webhooks. */
const BACKGROUND_FRESH_MS = 1_000;

/** Time between the TTL of an attempt and its last lookup. Covers clock differences and slow banks. */
export const LAST_LOOKUP_MARGIN_MS = 120_000;
/** An attempt without a usable lookup for 24 h after its TTL needs review. */
const NO_ANSWER_MS = 24 * 60 * 60 * 1000;

export interface Settled {
  readonly order: Order;
  /** Whether each lookup returned a payment. A recent lookup is enough, answered or not, except for a webhook. */
  readonly lookupsSucceeded: boolean;
  /** Result of each lookup, by attempt id. */
  readonly lookups: ReadonlyMap<string, LookupResult>;
}

/**
 * Looks up each attempt of an order that may still change, evaluates the gateway payments and applies the transitions.
 * Nothing else makes an order paid. A gateway fault does not throw: `lookupsSucceeded` is false, and only an overdue attempt changes.
 * Throws if the order does not exist or the database fails.
 */
export async function settlePayment(context: CheckoutContext, orderId: string, trigger: Trigger): Promise<Settled> {
  await expireAttemptLease(context, orderId, trigger);
  // Webhooks, returns and manual checks may report a payment on an attempt that already ended, so ended ones are included.
  const includesEnded = trigger === 'webhook' || trigger === 'return' || trigger === 'merchant';
  const attempts = await findWatchedAttempts(context.db.queries, orderId, includesEnded);
  const results = await Promise.all(
    attempts.map(async (attempt) => {
      const start = () => settleAttempt(context, attempt, trigger);
      const result = await lookUpOnce(context.lookups, attempt.id, start, freshMs(trigger) > 0);
      return [attempt.id, result] as const;
    }),
  );
  const order = await findOrder(context.db.queries, orderId);
  if (!order) throw new Error('no such order');
  const lookupsSucceeded = results.every(
    ([, result]) => result === 'answered' || (result === 'recent' && trigger !== 'webhook'),
  );
  return { order, lookupsSucceeded, lookups: new Map(results) };
}

/** Maximum age of a lookup that serves this trigger, in milliseconds. */
function freshMs(trigger: Trigger): number {
  if (trigger === 'order_page') return PAGE_FRESH_MS;
  return trigger === 'worker' || trigger === 'webhook' ? BACKGROUND_FRESH_MS : 0;
}

async function settleAttempt(context: CheckoutContext, attempt: Attempt, trigger: Trigger): Promise<LookupResult> {
  const { db, clock, policy, lookupBudget } = context;
  if (attempt.environment !== policy.environment) {
    await flagOtherEnvironment(context, attempt);
    return 'other_environment';
  }
  const at = clock.now();
  if (!(await acquireLookup(db.queries, attempt.id, { at, notSince: at - freshMs(trigger) }))) return 'recent';
  if (!(await lookupBudget.take(attempt.flow, trigger))) {
    if (trigger === 'return') await makeAttemptsDue(db.queries, attempt.orderId, at);
    return 'over_budget';
  }
  return lookUpAndApply(context, attempt, trigger);
}

async function lookUpAndApply(context: CheckoutContext, attempt: Attempt, trigger: Trigger): Promise<LookupResult> {
  const { clock, gateway } = context;
  const startedAt = clock.now();
  const response = await gateway.lookUp(attempt.flow, attempt.gatewayId ?? '').catch(gatewayErrorOf);
  const now = clock.now();
  const ms = Math.max(0, now - startedAt);
  if (!(response instanceof GatewayError)) {
    const result = resultOf(attempt, response, now);
    const { gatewayStatus } = response;
    await apply(context, { attempt, trigger, result, gatewayStatus, payment: response, ms });
    return 'answered';
  }
  const { call, code, status, reason } = response;
  const order = numberInReference(attempt.reference);
  context.log.warn('lookup.failed', { attempt: attempt.id, order, trigger, call, code, status, reason });
  const result = resultWithoutAnswer(attempt, response, now);
  if (result) await apply(context, { attempt, trigger, result, gatewayStatus: code, ms });
  return code === 'not_found' ? 'not_found' : 'unreachable';
}

function resultOf(attempt: Attempt, payment: GatewayPayment, now: number): PaymentResult {
  const { flow, gatewayId, amount, reference } = attempt;
  const result = evaluatePayment(payment, { id: gatewayId ?? '', amount, reference });
  return isOverdue(attempt, now) ? evaluateAfterExpiry(result, flow) : result;
}

/** Returns the payment result if a lookup failed after the attempt's TTL; `undefined` before that. */
function resultWithoutAnswer(attempt: Attempt, error: GatewayError, now: number): PaymentResult | undefined {
  if (!isOverdue(attempt, now)) return undefined;
  if (error.code === 'not_found') return evaluateNotFound(attempt.flow, attempt.foundAt !== null);
  return now > attempt.expiresAt + NO_ANSWER_MS ? { kind: 'review', reason: 'no_answer' } : undefined;
}

/** Returns whether an attempt has not ended although its TTL and the margin are over. */
function isOverdue(attempt: Attempt, now: number): boolean {
  return hasNotEnded(attempt) && now > attempt.expiresAt + LAST_LOOKUP_MARGIN_MS;
}

interface LookupOutcome {
  readonly attempt: Attempt;
  readonly trigger: Trigger;
  readonly result: PaymentResult;
  /** The gateway's own status words, or the error code of a failed lookup. */
  readonly gatewayStatus: string;
  /** Absent if the lookup failed. */
  readonly payment?: GatewayPayment;
  readonly ms: number;
}

/** Applies the result of a lookup in one transaction that locks the order. */
async function apply(context: CheckoutContext, outcome: LookupOutcome): Promise<void> {
  const { attempt: lookedUp, result } = outcome;
  const applied = await context.db.transaction(async (queries) => {
    // For the lock order see db/stock.ts.
    await lockCartOfOrder(queries, lookedUp.orderId);
    const order = await lockOrder(queries, lookedUp.orderId);
    const attempts = await findAttempts(queries, order.id);
    const attempt = attempts.find(({ id }) => id === lookedUp.id);
    if (!attempt) return undefined;
    const at = context.clock.now();
    const isFlagged = order.reviewReason === 'other_environment';
    const { environment } = context.policy;
    const isCleared = !attempts.some((other) => other.environment !== environment && hasNotEnded(other));
    return applyTransition(queries, context, {
      order,
      attempt,
      event: { type: 'looked_up', result },
      at,
      patch: patchOf(attempt, outcome, at),
      orderPatch: isFlagged && isCleared ? { reviewReason: null } : undefined,
      history: { kind: 'lookup_answered', detail: answerDetail(outcome) },
    });
  });
  if (applied) reportTransition(context, applied, outcome.trigger);
}

/** Returns the columns that a lookup changes. The confirmed amount of a paid or refunded attempt does not change. */
function patchOf(attempt: Attempt, outcome: LookupOutcome, at: number): AttemptPatch | undefined {
  const hasFixedAmount = attempt.state === 'paid' || attempt.state === 'refunded';
  const isFound = outcome.payment?.id === attempt.gatewayId;
  const confirmedAmount = hasFixedAmount ? undefined : amountConfirmedBy(outcome);
  const patch = {
    gatewayStatus: statusAfter(attempt, outcome.gatewayStatus),
    foundAt: attempt.foundAt ?? (isFound ? at : null),
    confirmedAmount: confirmedAmount ?? attempt.confirmedAmount,
  };
  return changesRow(attempt, patch) ? patch : undefined;
}

/** Returns the amount that the gateway confirms as paid under the attempt's own id, in the shop's currency. */
function amountConfirmedBy({ attempt, payment }: LookupOutcome): Centavos | undefined {
  const isConfirmed = payment?.status === 'paid' && payment.id === attempt.gatewayId && payment.currency === CURRENCY;
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
