import { type Attempt, findAttempt } from '../db/attempts.js';
import type { Queries } from '../db/database.js';
import { markStockReturned } from '../db/fulfillments.js';
import { recordEvent } from '../db/history.js';
import { lockOrder, type Order, patchOrder } from '../db/orders.js';
import { queueRefundJobs } from '../db/outbox.js';
import {
  findLapsedRefunds,
  findRefund,
  findRefundByGatewayId,
  findRefunds,
  type Refund,
  updateRefund,
} from '../db/refunds.js';
import { returnStock } from '../db/stock.js';
import { errorName } from '../domain/error-name.js';
import { dayOf } from '../domain/mexico-day.js';
import { isFullyRefunded, mayBecome } from '../domain/refund.js';
import { type Applied, applyTransition, reportTransition } from './apply-transition.js';
import type { CheckoutContext } from './context.js';
import { retryWrite } from './retry-write.js';

const BATCH = 20;

/** What ended or changed a refund. `lease`: its answer is missing, and the lease of its sender is over. */
export const REFUND_SOURCES = ['answer', 'webhook', 'check', 'repeat', 'person', 'lease'] as const;
export type RefundSource = (typeof REFUND_SOURCES)[number];

/** The outcome of a refund, whichever source has it first. */
export interface RefundOutcome {
  readonly to: 'succeeded' | 'pending' | 'refused' | 'unknown';
  readonly source: RefundSource;
  readonly gatewayRefundId?: string | undefined;
  readonly gatewayStatus?: string | undefined;
  /** The admin user, for the order's history. */
  readonly by?: string;
}

export interface SettledRefund {
  readonly refund: Refund;
  readonly order: Order;
  /** Whether this outcome changed the refund. */
  readonly isChanged: boolean;
}

interface Settled extends SettledRefund {
  readonly applied?: Applied | undefined;
}

/**
 * Writes the outcome of a refund in one transaction that locks its order. The first outcome wins: a final state never
 * changes, and an outcome that the state does not allow changes nothing. Each change increments the order's version.
 * With `version`, nothing changes unless the order has this version. Throws if the refund does not exist or the database fails.
 */
export async function settleRefund(
  context: CheckoutContext,
  { id, orderId }: Pick<Refund, 'id' | 'orderId'>,
  outcome: RefundOutcome,
  version?: number,
): Promise<SettledRefund> {
  const settled = await retryWrite(
    () =>
      context.db.transaction(async (queries): Promise<Settled> => {
        const order = await lockOrder(queries, orderId);
        const refund = await findRefund(queries, id);
        if (!refund) throw new Error('no such refund');
        const isForeign = await belongsToAnother(queries, refund, outcome.gatewayRefundId);
        const final = isForeign ? { to: 'unknown' as const, source: outcome.source } : outcome;
        const isAllowed = allows(refund, final) && (version === undefined || version === order.version);
        return isAllowed
          ? write(queries, context, { order, refund, outcome: final })
          : { refund, order, isChanged: false };
      }),
    (reason) => context.log.warn('refund.outcome_retried', { refund: id, reason }),
  );
  if (settled.isChanged) reportRefund(context, settled, outcome.source);
  return settled;
}

/** An answer that names the refund of another row proves nothing about this one. */
async function belongsToAnother(
  queries: Queries,
  { id }: Refund,
  gatewayRefundId: string | undefined,
): Promise<boolean> {
  if (gatewayRefundId === undefined) return false;
  const owner = await findRefundByGatewayId(queries, gatewayRefundId);
  return owner !== undefined && owner.id !== id;
}

/**
 * Returns whether an outcome may change the refund. A refusal counts only if it is certain that it is about this refund:
 * in the first answer, for a stored gateway id, or from a person. A refund of the same amount may have failed elsewhere.
 */
function allows({ state, gatewayRefundId: known }: Refund, outcome: RefundOutcome): boolean {
  const { to, source, gatewayRefundId } = outcome;
  if (!mayBecome(state, to)) return false;
  if (known !== null && gatewayRefundId !== undefined && known !== gatewayRefundId) return false;
  if (to !== 'refused' || source === 'person') return true;
  return source === 'answer' ? state === 'sending' : known !== null && known === gatewayRefundId;
}

async function write(
  queries: Queries,
  context: CheckoutContext,
  {
    order,
    refund,
    outcome,
  }: { readonly order: Order; readonly refund: Refund; readonly outcome: RefundOutcome },
): Promise<Settled> {
  const { to, source, gatewayRefundId, gatewayStatus, by } = outcome;
  const at = context.clock.now();
  const attempt = await findAttempt(queries, refund.attemptId);
  if (!attempt) throw new Error('a refund without its attempt');
  const changed = await updateRefund(queries, refund, {
    state: to,
    gatewayRefundId: gatewayRefundId ?? refund.gatewayRefundId,
    gatewayStatus: gatewayStatus ?? refund.gatewayStatus,
    refundedOn: to === 'succeeded' ? dayOf(at) : null,
    updatedAt: at,
  });
  const after = await patchOrder(queries, order, { at, patch: {} });
  const { ordinal } = attempt;
  const detail = { attempt: ordinal, refund: to, amount: refund.amount, source, gatewayStatus, by };
  await recordEvent(queries, { orderId: order.id, at, kind: 'refund_changed', detail });
  if (to !== 'succeeded') return { refund: changed, order: after, isChanged: true };
  const applied = await applyReturnedMoney(queries, context, { order: after, attempt, refund: changed, at });
  return { refund: changed, order: applied?.order ?? after, isChanged: true, applied };
}

/**
 * Applies what follows from a refund that returned money: mail and hook, and for a fully refunded attempt the transition
 * and the return of the products to stock. Must run once per refund, in the transaction that wrote its state.
 */
export async function applyReturnedMoney(
  queries: Queries,
  context: Pick<CheckoutContext, 'policy'>,
  { order, attempt, refund, at }: { order: Order; attempt: Attempt; refund: Refund; at: number },
): Promise<Applied | undefined> {
  if (refund.kind === 'chargeback') return undefined;
  await queueRefundJobs(queries, refund, at);
  const refunds = (await findRefunds(queries, order.id)).filter(({ attemptId }) => attemptId === attempt.id);
  if (!isFullyRefunded(attempt.confirmedAmount, refunds)) return undefined;
  const applied = await applyTransition(queries, context, {
    order,
    attempt,
    event: { type: 'refunded' },
    at,
  });
  const paidTheOrder = order.paidAttemptId === attempt.id;
  if (refund.returnsStock === 1 && paidTheOrder && (await markStockReturned(queries, order.id))) {
    await returnStock(queries, order, at);
    await recordEvent(queries, { orderId: order.id, at, kind: 'stock_returned', detail: {} });
  }
  return applied;
}

/** Logs and counts a committed change of a refund. */
export function reportRefund(
  context: Pick<CheckoutContext, 'log' | 'observer'>,
  { refund, order, applied }: Pick<Settled, 'refund' | 'order' | 'applied'>,
  source: RefundSource,
): void {
  const { id, attemptId, kind, state } = refund;
  const fields = { order: order.number, attempt: attemptId, refund: id, kind, trigger: source };
  context.observer.refundChanged(kind, state);
  if (state === 'unknown')
    context.log.error('refund.outcome_lost', { ...fields, code: refund.gatewayStatus ?? undefined });
  else context.log.info('refund.changed', { ...fields, to: state });
  if (applied) reportTransition(context, applied, 'merchant');
}

/**
 * Marks refunds as `unknown` whose process stopped before it wrote an answer. Their lease is longer than the deadline of
 * the call. Nothing else ends a refund by its age. Returns how many were found.
 */
export async function expireRefundLeases(context: CheckoutContext): Promise<number> {
  const lapsed = await findLapsedRefunds(context.db.queries, { at: context.clock.now(), most: BATCH });
  for (const refund of lapsed)
    await settleRefund(context, refund, { to: 'unknown', source: 'lease' }).catch((error: unknown) =>
      context.log.error('refund.expire_failed', { refund: refund.id, reason: errorName(error) }),
    );
  return lapsed.length;
}
