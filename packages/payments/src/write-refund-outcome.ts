import { applyTransition } from './apply-transition.js';
import { reportReturnedMoney } from './call-host.js';
import type { PaymentContext } from './context.js';
import type { RefundCall } from './gateway/refunds.js';
import { retryWrite, untilWritten } from './retry-write.js';
import type { Attempt, WatchedAttempt } from './rules/attempt.js';
import { errorName } from './rules/error-name.js';
import { dayOf } from './rules/mexico-day.js';
import { isFullyRefunded, mayBecome, type RefundOutcome } from './rules/refund.js';
import { findAttempt } from './store/attempts.js';
import type { Transaction } from './store/database.js';
import { incrementOrderVersion, lockOrder, type Order, recordEvent } from './store/orders.js';
import {
  findRefund,
  findRefundByGatewayId,
  findRefunds,
  findRefundsWithExpiredLease,
  type Refund,
  updateRefund,
} from './store/refunds.js';

const BATCH = 20;

/** What ended or changed a refund. */
export interface RefundCause {
  /** `lease`: its response is missing, and the lease of its sender is over. */
  readonly source: 'answer' | 'webhook' | 'check' | 'repeat' | 'person' | 'lease';
  readonly by?: string;
  /** The order version on the admin user's page (optimistic lock). With another version nothing changes. */
  readonly version?: number;
}

export interface WrittenOutcome {
  readonly refund: Refund;
  readonly order: Order;
  readonly isChanged: boolean;
}

/**
 * Writes the outcome of a refund in one transaction that locks its order. The first outcome wins: a final state never
 * changes, and an outcome that the state does not allow changes nothing. Each change increments the order's version.
 * Throws if the refund does not exist or the database fails.
 */
export function writeRefundOutcome(
  context: PaymentContext,
  refund: Refund,
  outcome: RefundOutcome,
  cause: RefundCause,
): Promise<WrittenOutcome> {
  return retryWrite(
    context,
    () => context.db.transaction((queries) => write(queries, context, refund, { outcome, cause })),
    (reason) => context.log.warn('refund.outcome_retried', { refund: refund.id, reason }),
  );
}

/**
 * Writes the gateway's answer to a request of an admin user. Returns `undefined` after `waitMs` milliseconds: the retries go on,
 * and the refund is as before until then.
 */
export function storeRefundAnswer(
  context: PaymentContext,
  refund: Refund,
  outcome: RefundOutcome,
  { waitMs, ...cause }: RefundCause & { readonly waitMs: number },
): Promise<WrittenOutcome | undefined> {
  const onLost = (reason: string) =>
    context.log.error('refund.outcome_unstored', { refund: refund.id, to: outcome.state, reason });
  return untilWritten(writeRefundOutcome(context, refund, outcome, cause), onLost, waitMs);
}

async function write(
  queries: Transaction,
  context: PaymentContext,
  { id, orderId }: Refund,
  { outcome: found, cause }: { readonly outcome: RefundOutcome; readonly cause: RefundCause },
): Promise<WrittenOutcome> {
  const locked = await lockOrder(queries, orderId);
  const before = await findRefund(queries, id);
  const attempt = before && (await findAttempt(queries, before.attemptId));
  if (!attempt) throw new Error('no such refund');
  const named = found.gatewayRefundId;
  const owner = named ? await findRefundByGatewayId(queries, named) : undefined;
  // A response that names the refund of another row proves nothing about this one.
  const outcome: RefundOutcome = owner && owner.id !== id ? { state: 'unknown' } : found;
  const isCurrent = cause.version === undefined || cause.version === locked.version;
  if (!isCurrent || !isAllowed(before, outcome, cause)) return { refund: before, order: locked, isChanged: false };
  const at = context.clock.now();
  const refundedOn = outcome.state === 'succeeded' ? dayOf(at) : null;
  const refund = await updateRefund(queries, id, { ...outcome, refundedOn, updatedAt: at });
  const order = await incrementOrderVersion(queries, locked, at);
  const { state, gatewayStatus } = outcome;
  const { source, by } = cause;
  const detail = {
    attempt: attempt.ordinal,
    refund: state,
    amount: refund.amount,
    source,
    gatewayStatus,
    by,
  };
  await recordEvent(queries, { orderId, at, kind: 'refund_changed', detail });
  queries.onCommit(() => reportRefund(context, { refund, order, source }));
  if (state !== 'succeeded') return { refund, order, isChanged: true };
  const returned = { order, attempt, refund, at, source };
  return { refund, order: await applyReturnedMoney(queries, context, returned), isChanged: true };
}

/**
 * Returns whether an outcome may change the refund. A refusal counts in the first response, for a stored gateway id, or from
 * an admin user. Any other refusal may be that of another refund of the same amount.
 */
function isAllowed(
  { state, gatewayRefundId: known }: Refund,
  { state: to, gatewayRefundId: named }: RefundOutcome,
  { source }: RefundCause,
): boolean {
  if (!mayBecome(state, to)) return false;
  if (known !== null && named !== undefined && known !== named) return false;
  if (to !== 'refused' || source === 'person') return true;
  // The answer may be stored after the lease, which made the refund unknown.
  return source === 'answer' ? state === 'sending' || state === 'unknown' : known === named;
}

/**
 * Applies what follows from a refund that returned money: a full refund applies the transition, and the host adds its part. If
 * the host fails, the refund is kept and the order is in review. A chargeback causes nothing. Must run once per refund, in the
 * transaction that wrote its state. Returns the order after the change.
 */
export async function applyReturnedMoney(
  queries: Transaction,
  context: PaymentContext,
  { order, attempt, refund, at, source }: RefundChange & { readonly attempt: Attempt; readonly at: number },
): Promise<Order> {
  if (refund.kind === 'chargeback') return order;
  const isFull = isFullyRefunded(attempt, await findRefunds(queries, order.id));
  const event = { type: 'refunded' } as const;
  const trigger = source === 'webhook' ? source : 'merchant';
  const change = { order, attempt, event, trigger, at } as const;
  const applied = isFull ? await applyTransition(queries, context, change) : { order };
  const { order: after, failure } = { failure: undefined, ...applied };
  const paidTheOrder = after.paidAttemptId === attempt.id;
  const returned = {
    refundId: refund.id,
    isFull,
    paidTheOrder,
    returnsGoods: refund.returnsStock === 1,
    ...(refund.kind === 'reversal' && { isReversal: true }),
  };
  return reportReturnedMoney(queries, context, { order: after, attempt, refund: returned, at, failure });
}

interface RefundChange extends Pick<RefundCause, 'source'> {
  readonly refund: Refund;
  readonly order: Order;
}

/** Logs and counts a change of a refund. Call it in a commit hook. */
export function reportRefund(context: PaymentContext, { refund, order, source }: RefundChange): void {
  const { id, attemptId, kind, state } = refund;
  const fields = { order: order.number, attempt: attemptId, refund: id, kind, trigger: source };
  context.observer.refundChanged(kind, state);
  if (state === 'unknown')
    context.log.error('refund.outcome_lost', { ...fields, code: refund.gatewayStatus ?? undefined });
  else context.log.info('refund.changed', { ...fields, to: state });
}

/** Returns what `refundPayment` and `readRefund` of the gateway need. The repetition of a refund has the same key. */
export function refundCallOf({ id, amount }: Refund, { gatewayId }: WatchedAttempt): RefundCall {
  return { idempotencyKey: id, gatewayId, amount };
}

/**
 * Marks refunds as `unknown` whose process stopped before it wrote a response. Their lease is longer than the call
 * and the storing of its response. Nothing else ends a refund by its age. Returns how many were found.
 */
export async function expireRefundLeases(context: PaymentContext): Promise<number> {
  const expired = await findRefundsWithExpiredLease(context.db.queries, {
    at: context.clock.now(),
    limit: BATCH,
  });
  for (const refund of expired)
    await writeRefundOutcome(context, refund, { state: 'unknown' }, { source: 'lease' }).catch((error: unknown) =>
      context.log.error('refund.expire_failed', { refund: refund.id, reason: errorName(error) }),
    );
  return expired.length;
}
