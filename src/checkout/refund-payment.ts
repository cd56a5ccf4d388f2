import { randomBytes } from 'node:crypto';
import { type Attempt, findAttempts } from '../db/attempts.js';
import type { Queries } from '../db/database.js';
import { isStockTaken } from '../db/fulfillments.js';
import { recordEvent } from '../db/history.js';
import { lockOrder, type Order, patchOrder } from '../db/orders.js';
import { findRefunds, insertRefund, type Refund } from '../db/refunds.js';
import { ID_BYTES, timeOrderedId } from '../domain/ids.js';
import { dayOf, isDay } from '../domain/mexico-day.js';
import type { Centavos } from '../domain/money.js';
import { isInFlight, REFUND_REASON_LIMIT, type RefundKind, refundable } from '../domain/refund.js';
import type { CheckoutContext, CheckoutPolicy } from './context.js';
import { applyReturnedMoney, reportRefund, settleRefund } from './settle-refund.js';

/** The parts of a refund that an admin user types or chooses. */
export interface RefundRequest {
  readonly orderId: string;
  /** The named attempt. An order may have two payments. */
  readonly attemptId: string;
  /** The order version on the admin user's page (optimistic lock). */
  readonly version: number;
  readonly amount: Centavos;
  /** Free text of at most `REFUND_REASON_LIMIT` characters, without card data. */
  readonly reason: string;
  /** Whether the products go back to stock. Allowed only if `mayReturnStock` and the refund is the whole limit. */
  readonly returnsStock: boolean;
  /** Name of the admin user. */
  readonly by: string;
}

/** A refund made in the gateway's dashboard, or a chargeback. */
export interface RecordRequest extends RefundRequest {
  readonly kind: RefundKind;
  /** The day in Mexico City on which the money was returned: not in the future, not before the order. */
  readonly refundedOn: string;
}

export type RefundResult =
  /** The refund was written. Its state has the outcome: `succeeded`, `pending`, `refused`, `unknown` or `recorded`. */
  | { readonly kind: 'done'; readonly refund: Refund; readonly order: Order }
  /** The order changed after the page was rendered. Nothing was written. The admin user must reload it. */
  | { readonly kind: 'changed' }
  /** Nothing was written. */
  | { readonly kind: 'refused'; readonly reason: RefundObjection };

export const REFUND_OBJECTIONS = [
  /** `REFUNDS=off`, or the attempt cannot be refunded this way. */
  'not_offered',
  /** The attempt has no payment whose amount the gateway confirmed, or was refunded. */
  'no_payment',
  /** The outcome of another refund of the attempt is not known yet. */
  'in_flight',
  /** More than the limit, or nothing. */
  'amount',
  /** Less than the limit, and `REFUND_PARTIAL` is off. */
  'partial',
  /** No existing day, in the future, or before the order. */
  'day',
  /** Longer than `REFUND_REASON_LIMIT`. */
  'reason',
  /** The products cannot go back to stock. */
  'stock',
] as const;
export type RefundObjection = (typeof REFUND_OBJECTIONS)[number];

/** What may be refunded of one attempt. */
export interface RefundOption {
  readonly attempt: Attempt;
  /** `gateway`: `refundPayment` may call the gateway. Otherwise only `recordRefund` is possible. */
  readonly byGateway: boolean;
  /** The confirmed amount minus all refunds that are not refused. */
  readonly limit: Centavos;
  /** The refund of this attempt whose outcome is not known. While it exists, no other is allowed. */
  readonly inFlight: Refund | undefined;
  /** Whether a refund of the whole limit may return the products to stock. */
  readonly mayReturnStock: boolean;
}

/** Returns whether the refund form can return money of the order. */
export function isRefundable(options: readonly RefundOption[]): boolean {
  return options.some(({ limit }) => limit > 0);
}

/** Returns the attempts of an order that may be refunded; empty with `REFUNDS=off`. */
export async function findRefundOptions(
  queries: Queries,
  policy: Pick<CheckoutPolicy, 'refunds' | 'environment'>,
  order: Pick<Order, 'id' | 'paidAttemptId'>,
): Promise<readonly RefundOption[]> {
  if (policy.refunds === 'off') return [];
  const refunds = await findRefunds(queries, order.id);
  const attempts = (await findAttempts(queries, order.id)).filter(hasConfirmedPayment);
  const stockTaken = attempts.length > 0 && (await isStockTaken(queries, order.id)) === true;
  return attempts.map((attempt) => {
    const own = refunds.filter(({ attemptId }) => attemptId === attempt.id);
    const isCallable = attempt.flow === 'card' && attempt.environment === policy.environment;
    return {
      attempt,
      byGateway: policy.refunds === 'gateway' && isCallable,
      limit: refundable(attempt.confirmedAmount, own),
      inFlight: own.find(({ state }) => isInFlight(state)),
      mayReturnStock:
        stockTaken && attempt.id === order.paidAttemptId && own.every(({ kind }) => kind === 'refund'),
    };
  });
}

/** A refunded attempt has no money left, also if its refund was only decided and has no row. */
function hasConfirmedPayment({ state, confirmedAmount, gatewayId }: Attempt): boolean {
  return (state === 'paid' || state === 'review') && confirmedAmount !== null && gatewayId !== null;
}

/**
 * Refunds a card payment at the gateway. The refund is committed before the only request, whose idempotency key is its id.
 * A lost answer is `unknown`, and no automatic retry follows. Throws if the order does not exist or the database fails.
 */
export async function refundPayment(context: CheckoutContext, request: RefundRequest): Promise<RefundResult> {
  const at = context.clock.now();
  const begun = await context.db.transaction((queries) => begin(queries, context, { request, at }));
  if (begun.kind !== 'done') return begun;
  const { refund, order, attempt } = begun;
  const fields = { order: order.number, attempt: attempt.id, refund: refund.id };
  context.log.info('refund.started', fields);
  context.observer.refundChanged(refund.kind, refund.state);
  const { kind: to, ...answer } = await context.gateway.refundPayment({
    idempotencyKey: refund.id,
    paymentId: attempt.gatewayId ?? '',
    amount: refund.amount,
  });
  const settled = await settleRefund(context, refund, { to, source: 'answer', ...answer });
  return { kind: 'done', refund: settled.refund, order: settled.order };
}

/** Records a refund that was made in the gateway's dashboard, or a chargeback. Calls nothing. */
export async function recordRefund(context: CheckoutContext, request: RecordRequest): Promise<RefundResult> {
  const at = context.clock.now();
  const recorded = await context.db.transaction(async (queries) => {
    const begun = await begin(queries, context, { request, at, recorded: request });
    if (begun.kind !== 'done') return begun;
    const applied = await applyReturnedMoney(queries, context, { ...begun, at });
    return { ...begun, order: applied?.order ?? begun.order, applied };
  });
  if (recorded.kind !== 'done') return recorded;
  reportRefund(context, recorded, 'person');
  return { kind: 'done', refund: recorded.refund, order: recorded.order };
}

interface Beginning {
  readonly request: RefundRequest;
  readonly at: number;
  /** Absent: the refund is sent to the gateway. */
  readonly recorded?: RecordRequest;
}

type Begun =
  | { readonly kind: 'done'; readonly refund: Refund; readonly order: Order; readonly attempt: Attempt }
  | Exclude<RefundResult, { kind: 'done' }>;

/** Checks a request with the order locked, and inserts its refund. */
async function begin(queries: Queries, context: CheckoutContext, beginning: Beginning): Promise<Begun> {
  const { request, at, recorded } = beginning;
  const { policy } = context;
  const order = await lockOrder(queries, request.orderId);
  if (order.version !== request.version) return { kind: 'changed' };
  const options = await findRefundOptions(queries, policy, order);
  const option = options.find(({ attempt }) => attempt.id === request.attemptId);
  const reason = findRefundObjection(policy, order, { ...beginning, option });
  if (reason !== undefined || !option) return { kind: 'refused', reason: reason ?? 'no_payment' };
  const refund = await insertRefund(queries, {
    id: timeOrderedId(at, randomBytes(ID_BYTES)),
    orderId: order.id,
    attemptId: request.attemptId,
    kind: recorded?.kind ?? 'refund',
    state: recorded ? 'recorded' : 'sending',
    amount: request.amount,
    reason: request.reason,
    returnsStock: request.returnsStock ? 1 : 0,
    leasedUntil: at + policy.leaseMs.card,
    gatewayRefundId: null,
    gatewayStatus: null,
    refundedOn: recorded?.refundedOn ?? null,
    by: request.by,
    createdAt: at,
    updatedAt: at,
  });
  const { ordinal } = option.attempt;
  const { kind, amount, state } = refund;
  const detail = { attempt: ordinal, kind, refund: state, amount, by: request.by };
  await recordEvent(queries, { orderId: order.id, at, kind: 'refund_started', detail });
  return {
    kind: 'done',
    refund,
    order: await patchOrder(queries, order, { at, patch: {} }),
    attempt: option.attempt,
  };
}

/** Returns why a request must not be written, or `undefined`. The caller must check the order version. */
export function findRefundObjection(
  policy: CheckoutPolicy,
  order: Order,
  { request, recorded, at, option }: Beginning & { readonly option: RefundOption | undefined },
): RefundObjection | undefined {
  const { amount, reason, returnsStock } = request;
  if (policy.refunds === 'off') return 'not_offered';
  if (!option) return 'no_payment';
  if (!recorded && !option.byGateway) return 'not_offered';
  if (option.inFlight) return 'in_flight';
  if (amount <= 0 || amount > option.limit) return 'amount';
  const isWhole = amount === option.limit;
  // A bank may charge back any part.
  if (!isWhole && !policy.partialRefunds && recorded?.kind !== 'chargeback') return 'partial';
  if (reason.length > REFUND_REASON_LIMIT) return 'reason';
  if (recorded && !isDayOfRefund(recorded.refundedOn, order.createdAt, at)) return 'day';
  const mayReturn = option.mayReturnStock && isWhole && recorded?.kind !== 'chargeback';
  return returnsStock && !mayReturn ? 'stock' : undefined;
}

function isDayOfRefund(day: string, orderedAt: number, now: number): boolean {
  return isDay(day) && day >= dayOf(orderedAt) && day <= dayOf(now);
}
