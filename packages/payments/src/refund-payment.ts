import type { PaymentConfig, PaymentContext } from './context.js';
import { GatewayError, gatewayErrorOf } from './gateway/errors.js';
import { LEASE_MS, REQUEST_WAIT_MS } from './lease-times.js';
import { findRefundOptions, type RefundOption } from './refund-options.js';
import { hasGatewayId } from './rules/attempt.js';
import { ID_BYTES, timeOrderedId } from './rules/ids.js';
import { isDayBetween } from './rules/mexico-day.js';
import type { Centavos } from './rules/money.js';
import { agrees } from './rules/payment.js';
import { REFUND_REASON_LIMIT, type RefundWay } from './rules/refund.js';
import { LONGEST_CARD_WAIT_MS } from './start-attempt.js';
import { findAttempt, putKeyFingerprint } from './store/attempts.js';
import type { Transaction } from './store/database.js';
import { incrementOrderVersion, lockOrder, type Order, recordEvent } from './store/orders.js';
import { insertRefund, type Refund } from './store/refunds.js';
import { expectedOf } from './verify-payment.js';
import { applyReturnedMoney, refundCallOf, reportRefund, storeRefundAnswer } from './write-refund-outcome.js';

export interface RefundRequest {
  readonly orderId: string;
  readonly attemptId: string;
  /** The order version on the admin user's page (optimistic lock). */
  readonly version: number;
  /** `reversal`: takes a payment past the gateway back, as a whole. */
  readonly way: RefundWay | 'reversal';
  readonly amount: Centavos;
  /** Free text of at most `REFUND_REASON_LIMIT` characters, without card data. */
  readonly reason: string;
  readonly returnsGoods: boolean;
  /** Unused with `gateway`. The day in Mexico City on which the money was returned. */
  readonly refundedOn: string;
  readonly by: string;
}

/**
 * `not_offered`: `REFUNDS=off`, or the attempt cannot be refunded in this way. `no_payment`: the gateway confirmed no amount of
 * the attempt, or it was refunded. `in_flight`: the outcome of another refund is not known. `amount`: nothing, or more than the
 * limit. `partial`: less than the limit, and `REFUND_PARTIAL` is off. `day`: in the future, or before order and payment.
 * `other_key`: the gateway did not confirm the payment with the present API key.
 */
export type RefundObjection =
  | 'not_offered'
  | 'no_payment'
  | 'in_flight'
  | 'amount'
  | 'partial'
  | 'reason'
  | 'day'
  | 'goods'
  | 'other_key';

interface RefundCheck {
  readonly config: Pick<PaymentConfig, 'partialRefunds' | 'refunds'>;
  readonly order: Order;
  readonly option: RefundOption | undefined;
  readonly at: number;
}

/** Returns why a request must not be written, or `undefined`. The caller must check the order version. */
export function findRefundObjection(
  { config, order, option, at }: RefundCheck,
  { way, amount, reason, returnsGoods, refundedOn }: RefundRequest,
): RefundObjection | undefined {
  if (!option) return config.refunds === 'off' ? 'not_offered' : 'no_payment';
  if (!option.ways.includes(way)) return 'not_offered';
  if (option.inFlight) return 'in_flight';
  if (amount <= 0 || amount > option.limit) return 'amount';
  const isWhole = amount === option.limit;
  if (!isWhole && !mayBePartial(way, config)) return 'partial';
  if (reason.length > REFUND_REASON_LIMIT) return 'reason';
  if (way !== 'gateway' && !isDayBetween(refundedOn, firstRefundTime(order), at)) return 'day';
  const mayReturnGoods = option.mayReturnGoods && isWhole && way !== 'chargeback';
  return returnsGoods && !mayReturnGoods ? 'goods' : undefined;
}

/** Money is returned after the payment, which may be from before the order. In milliseconds since 1970. */
export function firstRefundTime({ createdAt, paidAt }: Pick<Order, 'createdAt' | 'paidAt'>): number {
  return Math.min(createdAt, paidAt ?? createdAt);
}

/** A bank may charge back any part. A reversal takes all back. */
function mayBePartial(way: RefundRequest['way'], { partialRefunds }: RefundCheck['config']): boolean {
  return way === 'chargeback' || (way !== 'reversal' && partialRefunds);
}

export type RefundResult<O = Order> =
  /**
   * The refund was written. Its state has the outcome: `succeeded`, `pending`, `refused`, `unknown` or `recorded`. `sending`: the
   * response is not stored yet.
   */
  | { readonly kind: 'done'; readonly refund: Refund; readonly order: O }
  /** The order changed after the page was rendered. Nothing was written. */
  | { readonly kind: 'changed' }
  /** The request waited too long before the call. Nothing was written. */
  | { readonly kind: 'late' }
  | { readonly kind: 'refused'; readonly reason: RefundObjection };

/** Longest waits of a request that refunds at the gateway, in milliseconds: before the call, and for its answer to be stored. */
export const REFUND_WAITS = { startMs: LONGEST_CARD_WAIT_MS, storeMs: REQUEST_WAIT_MS } as const;
export type RefundWaits = Readonly<Record<keyof typeof REFUND_WAITS, number>>;

/**
 * Refunds a card payment at the gateway, or records a refund or chargeback that was made elsewhere. The refund is committed
 * before the only request, whose idempotency key is its id. With a lost response it is `unknown`, and no automatic retry follows.
 * It stays `sending` while its answer cannot be stored. Throws if the order does not exist or the database fails.
 */
export async function refundPayment(
  context: PaymentContext,
  request: RefundRequest,
  { startMs, storeMs }: RefundWaits = REFUND_WAITS,
): Promise<RefundResult> {
  const startsUntil = performance.now() + startMs;
  if (request.way === 'gateway' && !(await isKnownToKey(context, request.attemptId)))
    return { kind: 'refused', reason: 'other_key' };
  const begun = await context.db.transaction((queries) => begin(queries, context, request, startsUntil));
  if (begun.kind !== 'done') return begun;
  const { refund, order, attempt } = begun;
  if (request.way !== 'gateway' || !hasGatewayId(attempt)) return { kind: 'done', refund, order };
  const outcome = await context.gateway.refundPayment(refundCallOf(refund, attempt));
  const verified = await storeRefundAnswer(context, refund, outcome, { source: 'answer', waitMs: storeMs });
  return { kind: 'done', refund: verified?.refund ?? refund, order: verified?.order ?? order };
}

/**
 * Returns whether the present API key may refund an attempt. Another account may use a new key, so the payment is looked up
 * first. If the lookup agrees, the key is adopted.
 */
export async function isKnownToKey(context: PaymentContext, attemptId: string): Promise<boolean> {
  const { db, gateway, config } = context;
  const attempt = await findAttempt(db.queries, attemptId);
  if (!attempt || !hasGatewayId(attempt) || attempt.keyFingerprint === config.keyFingerprint) return true;
  const expected = expectedOf(attempt);
  const payment = await gateway.lookUp(attempt.flow, expected.gatewayId).catch(gatewayErrorOf);
  if (payment instanceof GatewayError || !agrees(payment, expected)) return false;
  await putKeyFingerprint(db.queries, attempt.id, config.keyFingerprint);
  return true;
}

/** Checks a request with the order locked, inserts its refund, and applies what a recorded refund changes. */
async function begin(queries: Transaction, context: PaymentContext, request: RefundRequest, startsUntil: number) {
  const { orderId, attemptId, way, amount, reason, by } = request;
  const { config } = context;
  const locked = await lockOrder(queries, orderId);
  const at = context.clock.now();
  if (locked.version !== request.version) return { kind: 'changed' } as const;
  const options = await findRefundOptions(queries, context, locked);
  const option = options.find((each) => each.attempt.id === attemptId);
  const objection = findRefundObjection({ config, order: locked, option, at }, request);
  if (objection || !option) return { kind: 'refused', reason: objection ?? 'no_payment' } as const;
  if (way === 'gateway' && performance.now() >= startsUntil) return { kind: 'late' } as const;
  const refund = await insertRefund(queries, {
    id: timeOrderedId(at, context.random(ID_BYTES)),
    orderId,
    attemptId,
    kind: way === 'chargeback' || way === 'reversal' ? way : 'refund',
    state: way === 'gateway' ? 'sending' : 'recorded',
    amount,
    reason,
    returnsStock: request.returnsGoods ? 1 : 0,
    leasedUntil: at + LEASE_MS.card,
    refundedOn: way === 'gateway' ? null : request.refundedOn,
    by,
    createdAt: at,
    updatedAt: at,
  });
  const { attempt } = option;
  const { kind, state } = refund;
  const detail = { attempt: attempt.ordinal, kind, refund: state, amount, by };
  await recordEvent(queries, { orderId, at, kind: 'refund_started', detail });
  const order = await incrementOrderVersion(queries, locked, at);
  if (state === 'sending') {
    queries.onCommit(() => reportStarted(context, refund, order));
    return { kind: 'done', refund, order, attempt } as const;
  }
  const recorded = { order, attempt, refund, at, source: 'person' } as const;
  queries.onCommit(() => reportRefund(context, recorded));
  return { kind: 'done', refund, order: await applyReturnedMoney(queries, context, recorded), attempt } as const;
}

function reportStarted({ log, observer }: PaymentContext, refund: Refund, order: Order): void {
  log.info('refund.started', { order: order.number, attempt: refund.attemptId, refund: refund.id });
  observer.refundChanged(refund.kind, refund.state);
}
