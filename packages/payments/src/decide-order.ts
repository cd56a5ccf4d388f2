import { type Applied, applyTransition } from './apply-transition.js';
import { HostFailedError, hostFailureFields, tryHost } from './call-host.js';
import type { PaymentContext } from './context.js';
import { type LinkResult, lacksGatewayId, linkPayment } from './link-payment.js';
import { isRefundable } from './refund-options.js';
import type { Attempt } from './rules/attempt.js';
import { type AdminDecision, openDecisions } from './rules/decision.js';
import { isInFlight } from './rules/refund.js';
import type { PaymentEvent } from './rules/transition.js';
import { type AttemptPatch, findAttempts } from './store/attempts.js';
import type { Db, Transaction } from './store/database.js';
import { findOrder, lockOrder, type Order, recordEvent } from './store/orders.js';
import { findRefunds } from './store/refunds.js';
import { verifyPayment } from './verify-payment.js';

export interface DecisionRequest {
  readonly orderId: string;
  readonly decision: AdminDecision;
  readonly by: string;
  /** The order version on the admin user's page (optimistic lock). */
  readonly version: number;
  /** Free text for the order's history, for example a refund number. Must be checked for card numbers. */
  readonly note: string;
  /** With `confirm`: the gateway's id of a payment whose response was lost. */
  readonly gatewayId?: string | undefined;
}

export type DecisionResult =
  | 'done'
  /** The lookup succeeded and confirmed no payment. */
  | 'not_confirmed'
  /** The gateway confirms the named payment, and no reference proves that it belongs to the order. */
  | 'candidate'
  | 'unreachable'
  /** The goods of an oversold order are still not available. Nothing changed. */
  | 'goods_missing'
  /** The host failed again. Nothing changed. */
  | 'host_failed'
  /** The order changed after the page was rendered. The admin user must reload it. */
  | 'changed'
  /** The order's state does not allow this decision. */
  | 'not_open';

/**
 * Applies an admin user's decision to an order in review and records it in the order's history. No decision makes an
 * order paid: `confirm` repeats the lookup, and the gateway payment is evaluated as usual.
 * Throws if the order does not exist or the database fails.
 */
export async function decideOrder(context: PaymentContext, request: DecisionRequest): Promise<DecisionResult> {
  const { decision } = request;
  const order = await findOrder(context.db.queries, request.orderId);
  if (!order) throw new Error(`no order has the id ${request.orderId}`);
  const objection = await objectionTo(context.db.queries, context, order, request);
  if (objection) return objection;
  if (decision === 'confirm') return confirm(context, request);
  // The answer shows whether the payment page is still open.
  if (decision === 'close') await verifyPayment(context, order.id, 'merchant');
  const end = () => context.db.transaction((queries) => endReview(queries, context, { ...request, decision }));
  if (decision !== 'apply_again') return end();
  try {
    return await end();
  } catch (error) {
    if (!(error instanceof HostFailedError)) throw error;
    context.log.error('host.change_failed', { order: order.number, ...hostFailureFields(error) });
    return 'host_failed';
  }
}

async function objectionTo(
  queries: Db,
  context: PaymentContext,
  order: Order,
  request: DecisionRequest,
): Promise<'changed' | 'not_open' | undefined> {
  if (order.version !== request.version) return 'changed';
  const decisions = openDecisions(order, await isRefundable(queries, context, order));
  return decisions.includes(request.decision) ? undefined : 'not_open';
}

/** Links the gateway id that the admin user entered, if any, and verifies the order. */
async function confirm(context: PaymentContext, request: DecisionRequest): Promise<DecisionResult> {
  const { queries } = context.db;
  const { orderId, gatewayId } = request;
  const links: LinkResult[] = [];
  if (gatewayId !== undefined)
    for (const { id } of (await findAttempts(queries, orderId)).filter(lacksGatewayId))
      links.push(await linkPayment(context, id, [gatewayId], 'merchant'));
  const { order, lookupsSucceeded } = await verifyPayment(context, orderId, 'merchant');
  const hasAnswer = lookupsSucceeded && !links.includes('unreachable');
  const unconfirmed = links.includes('candidate') ? 'candidate' : 'not_confirmed';
  const result = hasAnswer ? unconfirmed : 'unreachable';
  await record(queries, context, request, order.state === 'paid' ? 'paid' : result);
  return order.state === 'paid' ? 'done' : result;
}

const EVENTS = {
  refund: 'refund_decided',
  close: 'close_decided',
  stock_arrived: 'goods_arrived',
  apply_again: 'change_repeated',
} as const satisfies Record<Exclude<AdminDecision, 'confirm'>, PaymentEvent['type']>;

/**
 * Applies a decision that ends the review. For an oversold order it changes only the attempt that paid it. The goods are
 * then taken, or the money was returned. `apply_again` throws {@link HostFailedError} if the host fails again.
 */
async function endReview(
  queries: Transaction,
  context: PaymentContext,
  request: DecisionRequest & { readonly decision: keyof typeof EVENTS },
): Promise<'done' | 'goods_missing' | 'changed' | 'not_open'> {
  const isRepeated = request.decision === 'apply_again';
  // The host locks what a payment changes, before the order.
  if (isRepeated) {
    const locked = await tryHost(queries, 'lockBefore', () => context.host.lockBefore(queries, [request.orderId]));
    if (locked instanceof HostFailedError) throw locked;
  }
  const order = await lockOrder(queries, request.orderId);
  const objection = await objectionTo(queries, context, order, request);
  if (objection) return objection;
  const refunds = await findRefunds(queries, order.id);
  // The money may be on its way back already. The outcome of that refund comes first.
  if (refunds.some(({ state }) => isInFlight(state))) return 'not_open';
  const isOversold = order.reviewReason === 'oversold';
  // The decision is about the goods of the order, which one attempt paid.
  const isAboutGoods = isOversold || (order.reviewReason === 'host_failed' && order.state === 'paid');
  const all = await findAttempts(queries, order.id);
  const paying = all.filter(({ id }) => id === order.paidAttemptId);
  const attempts = isAboutGoods ? paying : isRepeated ? all.slice(-1) : all;
  const type = isAboutGoods && request.decision === 'refund' ? 'refunded' : EVENTS[request.decision];
  const at = context.clock.now();
  const last = await applyToAttempts(queries, context, { order, attempts, type, at });
  if (isOversold && last?.order.reviewReason === 'oversold') return 'goods_missing';
  await record(queries, context, request, isAboutGoods ? last?.attempt?.state : last?.order.state);
  return 'done';
}

/** The columns of an attempt whose payment is not known. */
const NO_PAYMENT: AttemptPatch = {
  gatewayId: null,
  idSource: null,
  transactionId: null,
  paymentId: null,
  provider: null,
  confirmedAmount: null,
};

/** Applies a decision to a locked order and to each of these attempts of it. Returns the rows after the last one. */
export async function applyToAttempts(
  queries: Transaction,
  context: PaymentContext,
  decided: {
    readonly order: Order;
    /** Without one, the event applies to the order alone. */
    readonly attempts: readonly Attempt[];
    readonly type: (typeof EVENTS)[keyof typeof EVENTS] | 'refunded';
    readonly at: number;
  },
): Promise<Applied | undefined> {
  const { attempts, type, at } = decided;
  let last: Applied | undefined;
  for (const attempt of attempts.length > 0 ? attempts : [undefined]) {
    // Without its candidate the lost payment can still be found.
    const isWrongCandidate = type === 'close_decided' && attempt?.idSource === 'candidate';
    // The worker may have stopped its lookups of an attempt in review.
    const due = attempt?.state === 'review' ? { nextCheckAt: at } : undefined;
    const patch = isWrongCandidate ? NO_PAYMENT : due;
    const order = last?.order ?? decided.order;
    const history = type === 'change_repeated' ? { kind: 'host_applied', detail: {} } : undefined;
    const change = { order, attempt, event: { type }, trigger: 'merchant', at, patch, history } as const;
    last = await applyTransition(queries, context, change);
  }
  return last;
}

function record(
  queries: Db,
  context: PaymentContext,
  { orderId, decision, by, note }: DecisionRequest,
  result: string | undefined,
): Promise<void> {
  return recordEvent(queries, {
    orderId,
    at: context.clock.now(),
    kind: 'decided',
    detail: { decision, result, by, ...(note !== '' && { note }) },
  });
}
