/**
 * Card payments of the unified endpoint, and their refunds. The interface shows no refunds; the public material shows
 * request, response and errors.
 */
import { ApiError, invalid } from './api-error.js';
import { isOverdue, presentCard, resultOfAnswer } from './challenges.js';
import type { CardSummary, Payment, Refund, RefundStatus } from './model.js';
import { cardFieldNames, centavosOf, type PaymentRequest, type RefundRequest } from './request-schemas.js';
import type { SimulatorState } from './state.js';
import { emitPaymentEvent, emitRefundEvent } from './webhook-events.js';

/** Charges, declines, or creates a challenge of the bank. */
export function createPayment(state: SimulatorState, request: PaymentRequest): Payment {
  if (state.settings.profile === 'minimal' && request.payment_method.type !== 'CARD')
    throw invalid({ 'payment_method.type': 'must be CARD' }, 422);
  const card = findCard(state, request.payment_method);
  const result = presentCard(state, card);
  if (result === undefined) throw new ApiError(500, 'processing_error', 'The payment failed; no record of it exists.');
  return updatePayment(state, newPayment(state, request, card), result);
}

/** Returns the payment. Expires its challenge if it is overdue. */
export function findPayment(state: SimulatorState, id: string): Payment | undefined {
  const payment = state.payments.get(id);
  if (payment?.status !== 'pending' || !isOverdue(state, payment.challenge)) return payment;
  return updatePayment(state, payment, { status: 'expired' });
}

/** Applies the bank's answer. A payment that is not pending is unchanged. */
export function answerPayment(state: SimulatorState, id: string, approved: boolean): void {
  const payment = findPayment(state, id);
  if (payment?.status === 'pending') updatePayment(state, payment, resultOfAnswer(payment.card, approved));
}

function isPaid({ status }: Payment): boolean {
  return status === 'success' || status === 'authorized';
}

/** Writes the ledger first, then the payment, then sends the webhook. */
function updatePayment(state: SimulatorState, payment: Payment, patch: Partial<Payment>): Payment {
  const updated = { ...payment, ...patch, updatedAt: state.now() };
  if (isPaid(updated)) {
    const { id, paymentId, amountMinor, currency, reference } = updated;
    state.charge({ kind: 'payment', id, paymentId, amountMinor, currency, reference });
  }
  state.payments.save(updated);
  emitPaymentEvent(state, updated);
  return updated;
}

/** Returns the card of the tokens. Throws unless each token was issued for its field, and all for one card. */
function findCard(state: SimulatorState, method: PaymentRequest['payment_method']): CardSummary {
  const number = state.tokens.get(method.card_number);
  const wrong = cardFieldNames.filter((name) => {
    const { field, set } = state.tokens.get(method[name]) ?? {};
    return field !== name || set !== number?.set;
  });
  if (wrong.length === 0 && number !== undefined) return number.card;
  const details = wrong.map((field) => [`payment_method.${field}`, 'must be a token of this field and card']);
  throw invalid(Object.fromEntries(details), 422);
}

function newPayment(state: SimulatorState, request: PaymentRequest, card: CardSummary): Payment {
  return {
    id: state.uuid(),
    paymentId: state.nextNumber(),
    transactionId: state.nextNumber(),
    status: 'pending',
    amountMinor: centavosOf(request.amount),
    currency: request.currency,
    reference: request.client_reference,
    customer: request.customer,
    returnUrl: request.return_url,
    metadata: request.metadata ?? {},
    card,
    createdAt: state.now(),
    updatedAt: state.now(),
  };
}

/** Creates a refund with the status of the settings, or returns the reason of the three documented cases. */
export function createRefund(state: SimulatorState, request: RefundRequest): Refund | { refused: string } {
  const payment = findPayment(state, request.original_transaction_id);
  if (payment === undefined || !isPaid(payment)) return { refused: 'Original transaction not found or not refundable' };
  const earlier = state.refunds
    .all()
    .filter(({ originalId, status }) => originalId === payment.id && status !== 'Failed');
  const left = earlier.reduce((rest, { amountMinor }) => rest - amountMinor, payment.amountMinor);
  if (left === 0 || (earlier.length > 0 && state.settings.refundsPerPayment === 'one'))
    return { refused: 'Transaction has already been refunded' };
  const amountMinor = centavosOf(request.amount);
  if (amountMinor > left) return { refused: 'Refund requested amount is greater that original amount' };
  const refund: Refund = {
    id: state.uuid(),
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
export function finishRefund(state: SimulatorState, refund: Refund, status: Exclude<RefundStatus, 'Pending'>): void {
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
