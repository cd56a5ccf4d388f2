import type { PaymentContext } from './context.js';
import { GatewayError, gatewayErrorOf } from './gateway/errors.js';
import type { RefundHint } from './gateway/webhook-event.js';
import { findRefundOptions } from './refund-options.js';
import { isKnownToKey, REFUND_WAITS, type RefundWaits } from './refund-payment.js';
import { hasGatewayId } from './rules/attempt.js';
import { isInFlight, type RefundState } from './rules/refund.js';
import { findAttempt } from './store/attempts.js';
import { incrementOrderVersion, lockOrder, recordEvent } from './store/orders.js';
import { findRefund, findRefundByGatewayId, findRefundInFlight, type Refund } from './store/refunds.js';
import {
  type RefundCause,
  refundCallOf,
  storeRefundAnswer,
  type WrittenOutcome,
  writeRefundOutcome,
} from './write-refund-outcome.js';

/**
 * `check`: looks the refund up. `repeat`: sends an `unknown` refund again with the same idempotency key. `refunded`,
 * `not_refunded`: the admin user's own answer about an `unknown` or `pending` refund, from the gateway's dashboard.
 */
export const REFUND_ACTIONS = ['check', 'repeat', 'refunded', 'not_refunded'] as const;
export type RefundAction = (typeof REFUND_ACTIONS)[number];

export interface ResolveRequest {
  readonly orderId: string;
  readonly refundId: string;
  /** The order version on the admin user's page (optimistic lock). */
  readonly version: number;
  readonly action: RefundAction;
  /** With `check`: the gateway's id of the refund, as the admin user found it in the dashboard. */
  readonly gatewayRefundId?: string | undefined;
  readonly by: string;
}

/**
 * The new state of the refund, or why it is as before.
 * - `unchanged`: no response changed the refund.
 * - `unreachable`: the gateway did not respond or does not know the refund, or the refund has no gateway id.
 * - `changed`: the order changed after the page was rendered.
 * - `late`: the request waited too long before the call, which was not made.
 * - `not_open`: the refund is not of this order, or its state does not allow the action.
 */
export type ResolveResult = RefundState | 'unchanged' | 'unreachable' | 'changed' | 'late' | 'not_open';

/** Resolves a refund whose outcome is not known. Throws if the order does not exist or the database fails. */
export async function resolveRefund(
  context: PaymentContext,
  request: ResolveRequest,
  waits: RefundWaits = REFUND_WAITS,
): Promise<ResolveResult> {
  const { action, orderId, version, by } = request;
  const refund = await findRefund(context.db.queries, request.refundId);
  const isOpen = refund?.state === 'unknown' || (refund?.state === 'pending' && action !== 'repeat');
  if (!isOpen || refund.orderId !== orderId) return 'not_open';
  if (action === 'check') return check(context, refund, request);
  if (action === 'repeat') return repeat(context, refund, request, waits);
  const state = action === 'refunded' ? 'succeeded' : 'refused';
  const verified = await writeRefundOutcome(context, refund, { state }, { source: 'person', by, version });
  if (verified.isChanged) return state;
  return verified.order.version === version ? 'not_open' : 'changed';
}

async function check(
  context: PaymentContext,
  refund: Refund,
  { gatewayRefundId, by }: ResolveRequest,
): Promise<ResolveResult> {
  const id = refund.gatewayRefundId ?? gatewayRefundId;
  const found = id ? await lookUpRefund(context, refund, id, { source: 'check', by }) : 'unreachable';
  if (typeof found !== 'string' && found.isChanged) return found.refund.state;
  await recordUnchanged(context, refund, { by, action: 'check' });
  return found === 'unreachable' ? found : 'unchanged';
}

/**
 * Sends the refund again. A refusal proves nothing about the first request, so it counts only if it names the stored gateway
 * id. A new order version is committed before the call, so that a double click sends it once.
 */
async function repeat(
  context: PaymentContext,
  refund: Refund,
  { by, version }: ResolveRequest,
  { startMs, storeMs }: RefundWaits,
): Promise<ResolveResult> {
  const startsUntil = performance.now() + startMs;
  if (!(await isKnownToKey(context, refund.attemptId))) return 'unreachable';
  const begun = await context.db.transaction(async (queries) => {
    const order = await lockOrder(queries, refund.orderId);
    if (order.version !== version) return 'changed';
    const options = await findRefundOptions(queries, context, order);
    const option = options.find(({ attempt }) => attempt.id === refund.attemptId);
    if (!option?.ways.includes('gateway') || !hasGatewayId(option.attempt)) return 'not_open';
    if (performance.now() >= startsUntil) return 'late';
    const at = context.clock.now();
    await incrementOrderVersion(queries, order, at);
    const detail = { attempt: option.attempt.ordinal, amount: refund.amount, by };
    await recordEvent(queries, { orderId: order.id, at, kind: 'refund_repeated', detail });
    return { order, attempt: option.attempt };
  });
  if (typeof begun === 'string') return begun;
  context.log.info('refund.repeated', { order: begun.order.number, refund: refund.id });
  const outcome = await context.gateway.refundPayment(refundCallOf(refund, begun.attempt));
  const verified = await storeRefundAnswer(context, refund, outcome, { source: 'repeat', by, waitMs: storeMs });
  if (!verified) return 'sending';
  if (verified.isChanged) return verified.refund.state;
  const { gatewayStatus } = outcome;
  await recordUnchanged(context, verified.refund, { by, action: 'repeat', gatewayStatus });
  return 'unchanged';
}

/** Records in the order's history that a call changed nothing. */
function recordUnchanged(
  { db, clock }: PaymentContext,
  { orderId, state, amount }: Refund,
  answer: { readonly by: string; readonly action: RefundAction; readonly gatewayStatus?: string | undefined },
): Promise<void> {
  const detail = { refund: state, amount, ...answer };
  return recordEvent(db.queries, { orderId, at: clock.now(), kind: 'refund_unchanged', detail });
}

/**
 * Looks up a refund in flight under an id of the gateway. Writes the result if operation, payment and amount are those of
 * the refund. Any other response changes nothing, and so does `not_found`.
 */
async function lookUpRefund(
  context: PaymentContext,
  refund: Refund,
  gatewayRefundId: string,
  cause: RefundCause,
): Promise<WrittenOutcome | 'unchanged' | 'unreachable'> {
  const { db, gateway, lookupBudget, log, config } = context;
  const { source } = cause;
  const attempt = await findAttempt(db.queries, refund.attemptId);
  if (!attempt || !hasGatewayId(attempt) || attempt.environment !== config.environment) return 'unchanged';
  if (!(await lookupBudget.take('card', source === 'check' ? 'merchant' : 'webhook', false))) return 'unreachable';
  const outcome = await gateway.readRefund(gatewayRefundId, refundCallOf(refund, attempt)).catch(gatewayErrorOf);
  if (outcome instanceof GatewayError) {
    const { call, code, status } = outcome;
    log.warn('refund.lookup_failed', { refund: refund.id, trigger: source, call, code, status });
    return 'unreachable';
  }
  // A response about another refund has another id, or none.
  if (outcome.gatewayRefundId !== gatewayRefundId) return 'unchanged';
  return writeRefundOutcome(context, refund, outcome, cause);
}

/**
 * Looks up the refund in flight that an authenticated webhook event names by its id or that of its payment.
 * `not_ours`: no refund in flight is about it. `unreachable`: the gateway did not respond.
 */
export async function processRefundEvent(
  context: PaymentContext,
  { gatewayRefundId, gatewayId }: RefundHint,
): Promise<'verified' | 'not_ours' | 'unreachable'> {
  const { queries } = context.db;
  const known = await findRefundByGatewayId(queries, gatewayRefundId);
  if (known && !isInFlight(known.state)) return 'verified';
  const refund = known ?? (gatewayId ? await findRefundInFlight(queries, gatewayId) : undefined);
  const found = refund ? await lookUpRefund(context, refund, gatewayRefundId, { source: 'webhook' }) : 'unchanged';
  if (found === 'unchanged') return 'not_ours';
  return found === 'unreachable' ? found : 'verified';
}
