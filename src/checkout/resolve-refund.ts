import { findAttempt } from '../db/attempts.js';
import { recordEvent } from '../db/history.js';
import { lockOrder, patchOrder } from '../db/orders.js';
import { findRefund, findRefundByGatewayId, findRefundsInFlight, type Refund } from '../db/refunds.js';
import { evaluateRefund, isInFlight } from '../domain/refund.js';
import { GatewayError } from '../gateway/errors.js';
import type { RefundHint } from '../gateway/webhook-event.js';
import type { CheckoutContext } from './context.js';
import { type RefundSource, type SettledRefund, settleRefund } from './settle-refund.js';

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
  /** Name of the admin user. */
  readonly by: string;
}

export type ResolveResult =
  /** The refund changed. */
  | { readonly kind: 'done'; readonly refund: Refund }
  /** The gateway was asked, and the refund is as before. */
  | { readonly kind: 'unchanged'; readonly refund: Refund }
  /** The gateway could not be asked, or does not know the refund. With `check`: or no id of the refund is known. */
  | { readonly kind: 'unreachable'; readonly refund: Refund }
  /** The order changed after the page was rendered. Nothing was done. */
  | { readonly kind: 'changed' }
  /** The refund is not of this order, or its state does not allow the action. */
  | { readonly kind: 'not_open' };

/** Resolves a refund whose outcome is not known. Throws if the order does not exist or the database fails. */
export async function resolveRefund(
  context: CheckoutContext,
  request: ResolveRequest,
): Promise<ResolveResult> {
  const { action, orderId, version, by } = request;
  const refund = await findRefund(context.db.queries, request.refundId);
  if (refund?.orderId !== orderId || !isOpen(refund, action)) return { kind: 'not_open' };
  if (action === 'check') return check(context, refund, request);
  if (action === 'repeat') return repeat(context, refund, request);
  const to = action === 'refunded' ? 'succeeded' : 'refused';
  const settled = await settleRefund(context, refund, { to, source: 'person', by }, version);
  if (settled.isChanged) return { kind: 'done', refund: settled.refund };
  return settled.order.version === version ? { kind: 'not_open' } : { kind: 'changed' };
}

function isOpen({ state }: Refund, action: RefundAction): boolean {
  return state === 'unknown' || (state === 'pending' && action !== 'repeat');
}

async function check(
  context: CheckoutContext,
  refund: Refund,
  { gatewayRefundId, by }: ResolveRequest,
): Promise<ResolveResult> {
  const id = refund.gatewayRefundId ?? gatewayRefundId;
  const found =
    id === undefined ? 'unreachable' : await lookUpRefund(context, refund, { id, source: 'check', by });
  if (typeof found !== 'string' && found.isChanged) return { kind: 'done', refund: found.refund };
  await recordUnchanged(context, refund, { by, action: 'check' });
  return typeof found === 'string' ? { kind: found, refund } : { kind: 'unchanged', refund: found.refund };
}

/** Records in the order's history that the gateway was asked. */
function recordUnchanged(
  { db, clock }: CheckoutContext,
  { orderId, state, amount }: Refund,
  detail: { readonly by: string; readonly action: RefundAction; readonly gatewayStatus?: string },
): Promise<void> {
  const event = { orderId, at: clock.now(), kind: 'refund_unchanged' };
  return recordEvent(db.queries, { ...event, detail: { refund: state, amount, ...detail } });
}

/**
 * Sends the refund again. A refusal proves nothing about the first request, so it changes nothing. The repetition is
 * committed with a new order version before it is sent, so that a double click sends it once.
 */
async function repeat(
  context: CheckoutContext,
  refund: Refund,
  request: ResolveRequest,
): Promise<ResolveResult> {
  const { by, version } = request;
  const begun = await context.db.transaction(async (queries) => {
    const order = await lockOrder(queries, refund.orderId);
    if (order.version !== version) return { kind: 'changed' } as const;
    const attempt = await findAttempt(queries, refund.attemptId);
    const { refunds, environment } = context.policy;
    const isCallable = refunds === 'gateway' && attempt?.environment === environment;
    if (!isCallable || attempt.flow !== 'card' || attempt.gatewayId === null)
      return { kind: 'not_open' } as const;
    const at = context.clock.now();
    await patchOrder(queries, order, { at, patch: {} });
    const detail = { attempt: attempt.ordinal, amount: refund.amount, by };
    await recordEvent(queries, { orderId: order.id, at, kind: 'refund_repeated', detail });
    return { kind: 'begun', order, paymentId: attempt.gatewayId } as const;
  });
  if (begun.kind !== 'begun') return begun;
  context.log.info('refund.repeated', { order: begun.order.number, refund: refund.id });
  const { kind: to, ...answer } = await context.gateway.refundPayment({
    idempotencyKey: refund.id,
    paymentId: begun.paymentId,
    amount: refund.amount,
  });
  const settled = await settleRefund(context, refund, { to, source: 'repeat', by, ...answer });
  if (settled.isChanged) return { kind: 'done', refund: settled.refund };
  await recordUnchanged(context, settled.refund, {
    by,
    action: 'repeat',
    gatewayStatus: answer.gatewayStatus,
  });
  return { kind: 'unchanged', refund: settled.refund };
}

interface RefundLookup {
  /** The gateway's id of the refund. */
  readonly id: string;
  readonly source: RefundSource;
  readonly by?: string;
}

/**
 * Looks up a refund in flight under an id of the gateway, and writes the result if operation, payment and amount are those
 * of the refund. Any other answer changes nothing, and so does `not_found`.
 */
async function lookUpRefund(
  context: CheckoutContext,
  refund: Refund,
  { id, source, by }: RefundLookup,
): Promise<SettledRefund | 'unchanged' | 'unreachable'> {
  const { db, gateway, lookupBudget, log, policy } = context;
  const attempt = await findAttempt(db.queries, refund.attemptId);
  const owner = await findRefundByGatewayId(db.queries, id);
  const isOther = (owner && owner.id !== refund.id) || (refund.gatewayRefundId ?? id) !== id;
  if (isOther || !attempt?.gatewayId || attempt.environment !== policy.environment) return 'unchanged';
  if (!(await lookupBudget.take('card', source === 'check' ? 'merchant' : 'webhook'))) return 'unreachable';
  try {
    const found = await gateway.readRefund(id);
    const expected = { paymentId: attempt.gatewayId, amount: refund.amount };
    const to = found.id === id ? evaluateRefund(found, expected) : undefined;
    if (!to) return 'unchanged';
    const { gatewayStatus } = found;
    return settleRefund(context, refund, { to, source, gatewayRefundId: id, gatewayStatus, by });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { call, code, status } = error;
    log.warn('refund.lookup_failed', { refund: refund.id, trigger: source, call, code, status });
    return 'unreachable';
  }
}

/**
 * Looks up the refund in flight that an authenticated webhook event names, by its own id or the id of its payment.
 * `not_ours`: no refund in flight is about it. `unreachable`: the gateway did not answer.
 */
export async function settleRefundEvent(
  context: CheckoutContext,
  { id, paymentIds }: RefundHint,
): Promise<'settled' | 'not_ours' | 'unreachable'> {
  const { queries } = context.db;
  const byId = await findRefundByGatewayId(queries, id);
  if (byId && !isInFlight(byId.state)) return 'settled';
  const candidates = byId ? [byId] : await findRefundsInFlight(queries, paymentIds);
  let result: 'settled' | 'not_ours' | 'unreachable' = 'not_ours';
  for (const refund of candidates) {
    const found = await lookUpRefund(context, refund, { id, source: 'webhook' });
    if (typeof found !== 'string') return 'settled';
    if (found === 'unreachable') result = found;
  }
  return result;
}
