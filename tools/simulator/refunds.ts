/** Refunds of card payments. The interface shows none; the public material shows request, response and errors. */
import { randomUUID } from 'node:crypto';
import type { Refund, RefundStatus } from './model.js';
import { findPayment, isPaid } from './payments.js';
import { centavosOf, type RefundRequest } from './request-schemas.js';
import type { SimulatorState } from './state.js';
import { emitRefundEvent } from './webhook-events.js';

/** Creates a refund with the status of the settings, or returns the reason of the three documented cases. */
export function createRefund(state: SimulatorState, request: RefundRequest): Refund | { refused: string } {
  const payment = findPayment(state, request.original_transaction_id);
  if (payment === undefined || !isPaid(payment))
    return { refused: 'Original transaction not found or not refundable' };
  const earlier = state.refunds
    .all()
    .filter(({ originalId, status }) => originalId === payment.id && status !== 'Failed');
  const left = earlier.reduce((rest, { amountMinor }) => rest - amountMinor, payment.amountMinor);
  if (left === 0 || (earlier.length > 0 && state.settings.refundsPerPayment === 'one'))
    return { refused: 'Transaction has already been refunded' };
  const amountMinor = centavosOf(request.amount);
  if (amountMinor > left) return { refused: 'Refund requested amount is greater that original amount' };
  const refund: Refund = {
    id: randomUUID(),
    originalId: payment.id,
    transactionId: state.nextNumber(),
    refundNumber: state.nextNumber(),
    status: 'Pending',
    amountMinor,
    currency: request.currency,
    createdAt: state.now(),
  };
  return updateRefund(state, refund, state.settings.refundStatus);
}

/** Ends a pending refund; later calls change nothing. */
export function finishRefund(
  state: SimulatorState,
  refund: Refund,
  status: Exclude<RefundStatus, 'Pending'>,
): void {
  if (refund.status === 'Pending') updateRefund(state, refund, status);
}

/** Writes the ledger first, then the refund, then sends the webhook. */
function updateRefund(state: SimulatorState, refund: Refund, status: RefundStatus): Refund {
  const updated = { ...refund, status };
  const { id, originalId, amountMinor, currency } = updated;
  if (status === 'Success') state.returned.save({ id, originalId, amountMinor, currency, at: state.now() });
  state.refunds.save(updated);
  emitRefundEvent(state, updated);
  return updated;
}
