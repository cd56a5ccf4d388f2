import { type Attempt, findAttempts, payingAttemptOf } from '../db/attempts.js';
import type { Queries } from '../db/database.js';
import { findOrder, lockOrder, type Order, recordEvent } from '../db/orders.js';
import { findRefunds } from '../db/refunds.js';
import { type MerchantDecision, openDecisions } from '../domain/decision.js';
import { isInFlight } from '../domain/refund.js';
import { type Applied, applyTransition, reportTransition } from './apply-transition.js';
import type { CheckoutContext } from './context.js';
import { type LinkResult, lacksGatewayId, linkPayment } from './link-payment.js';
import { findRefundOptions, isRefundable } from './refund-payment.js';
import { settlePayment } from './settle-payment.js';

export interface DecisionRequest {
  readonly orderId: string;
  readonly decision: MerchantDecision;
  readonly by: string;
  /** The order version on the admin user's page (optimistic lock). */
  readonly version: number;
  /** Free text for the order's history, for example a refund number. Must be checked for card numbers. */
  readonly note: string;
  /** With `confirm`: the gateway's id of a payment whose response was lost. */
  readonly gatewayId?: string | undefined;
}

export type DecisionOutcome =
  | { readonly kind: 'done'; readonly order: Order }
  /** The gateway was asked and does not confirm a payment. */
  | { readonly kind: 'not_confirmed'; readonly order: Order }
  | { readonly kind: 'unreachable'; readonly order: Order }
  /** The products of an oversold order are still not in stock. Nothing changed. */
  | { readonly kind: 'out_of_stock' }
  /** The order changed after the page was rendered. The admin user must reload it. */
  | { readonly kind: 'changed' }
  /** The order's state does not allow this decision. */
  | { readonly kind: 'not_open' };

/**
 * Applies an admin user's decision to an order in review and records it in the order's history. No decision makes an
 * order paid: `confirm` repeats the lookup, and the gateway payment is evaluated as usual.
 * Throws if the order does not exist or the database fails.
 */
export async function decideOrder(
  context: CheckoutContext,
  request: DecisionRequest,
): Promise<DecisionOutcome> {
  const { decision } = request;
  if (decision === 'confirm') return confirm(context, request);
  const { outcome, applied = [] } = await context.db.transaction((queries) =>
    end(queries, context, { ...request, decision }),
  );
  for (const change of applied) reportTransition(context, change, 'merchant');
  return outcome;
}

async function objectionTo(
  queries: Queries,
  { policy }: CheckoutContext,
  order: Order,
  request: DecisionRequest,
): Promise<DecisionOutcome | undefined> {
  if (order.version !== request.version) return { kind: 'changed' };
  const decisions = openDecisions(order, isRefundable(await findRefundOptions(queries, policy, order)));
  return decisions.includes(request.decision) ? undefined : { kind: 'not_open' };
}

async function confirm(context: CheckoutContext, request: DecisionRequest): Promise<DecisionOutcome> {
  const { queries } = context.db;
  const before = await findOrder(queries, request.orderId);
  if (!before) throw new Error('no such order');
  const objection = await objectionTo(queries, context, before, request);
  if (objection) return objection;
  const wasAsked = await linkNamed(context, before, request.gatewayId);
  const { order, allAnswered } = await settlePayment(context, before.id, 'merchant');
  const result = order.state === 'paid' ? 'paid' : allAnswered && wasAsked ? 'not_confirmed' : 'unreachable';
  await record(queries, context, request, result);
  return { kind: result === 'paid' ? 'done' : result, order };
}

/** Tries to link the gateway id that the admin user entered. Returns false if the gateway could not be asked. */
async function linkNamed(
  context: CheckoutContext,
  order: Order,
  gatewayId: string | undefined,
): Promise<boolean> {
  if (gatewayId === undefined) return true;
  const attempts = await findAttempts(context.db.queries, order.id);
  const results: LinkResult[] = [];
  for (const { id } of attempts.filter(lacksGatewayId))
    results.push(await linkPayment(context, id, [gatewayId]));
  return !results.includes('unreachable');
}

/** The outcome of a transaction, and the changes to report after its commit. */
interface Ended {
  readonly outcome: DecisionOutcome;
  readonly applied?: readonly Applied[];
}

async function end(
  queries: Queries,
  context: CheckoutContext,
  request: DecisionRequest & { readonly decision: Exclude<MerchantDecision, 'confirm'> },
): Promise<Ended> {
  const order = await lockOrder(queries, request.orderId);
  const objection = await objectionTo(queries, context, order, request);
  if (objection) return { outcome: objection };
  const refunds = await findRefunds(queries, order.id);
  // The money may be on its way back already. The outcome of that refund comes first.
  if (refunds.some(({ state }) => isInFlight(state))) return { outcome: { kind: 'not_open' } };
  if (order.reviewReason === 'oversold') return resolveOversold(queries, context, { ...request, order });
  const at = context.clock.now();
  const type = request.decision === 'refund' ? 'refund_decided' : 'close_decided';
  const attempts = await findAttempts(queries, order.id);
  const applied = await applyToAttempts(queries, context, { order, attempts, type, at });
  const after = applied.at(-1)?.order ?? order;
  await record(queries, context, request, after.state);
  return { outcome: { kind: 'done', order: after }, applied };
}

/** Applies a decision to each attempt of a locked order. */
export async function applyToAttempts(
  queries: Queries,
  context: CheckoutContext,
  decided: {
    readonly order: Order;
    readonly attempts: readonly Attempt[];
    readonly type: 'refund_decided' | 'close_decided';
    readonly at: number;
  },
): Promise<readonly Applied[]> {
  const { attempts, type, at } = decided;
  const applied: Applied[] = [];
  let { order } = decided;
  for (const attempt of attempts) {
    const change = await applyTransition(queries, context, { order, attempt, event: { type }, at });
    order = change.order;
    applied.push(change);
  }
  return applied;
}

/** Takes the products of an oversold order from stock, or records that its money was returned. */
async function resolveOversold(
  queries: Queries,
  context: CheckoutContext,
  request: DecisionRequest & { readonly order: Order },
): Promise<Ended> {
  const { order, decision } = request;
  const attempt = payingAttemptOf(order, await findAttempts(queries, order.id));
  if (!attempt) throw new Error('a paid order without its attempt');
  const type = decision === 'refund' ? 'refunded' : 'stock_arrived';
  const at = context.clock.now();
  const applied = await applyTransition(queries, context, { order, attempt, event: { type }, at });
  if (applied.order.reviewReason === 'oversold') return { outcome: { kind: 'out_of_stock' } };
  await record(queries, context, request, applied.attempt.state);
  return { outcome: { kind: 'done', order: applied.order }, applied: [applied] };
}

function record(
  queries: Queries,
  context: CheckoutContext,
  { orderId, decision, by, note }: DecisionRequest,
  result: string,
): Promise<void> {
  return recordEvent(queries, {
    orderId,
    at: context.clock.now(),
    kind: 'decided',
    detail: { decision, result, by, ...(note !== '' && { note }) },
  });
}
