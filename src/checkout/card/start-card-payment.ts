import type { Attempt } from '../../db/attempts.js';
import type { CardTokens } from '../../domain/card-data.js';
import type { ProcessedPayment } from '../../gateway/card-payments.js';
import { acquireAttempt, type CheckoutResult, paymentOf } from '../acquire-attempt.js';
import type { CheckoutContext } from '../context.js';
import { failAttempt, finishAttempt } from '../finish-attempt.js';
import type { CheckoutRequest } from '../place-order.js';
import { settlePayment } from '../settle-payment.js';
import type { LeasedAttempt } from '../write-order.js';

/**
 * Places the order and sends at most one card payment for it (interface section 4.1). Returns a redirect if the bank
 * requires 3D Secure, otherwise the order after a lookup. Throws `ShopError` only if the card was provably not
 * charged.
 */
export async function startCardPayment(
  context: CheckoutContext,
  request: CheckoutRequest,
  tokens: CardTokens,
): Promise<CheckoutResult> {
  const acquired = await acquireAttempt(context, request, 'card');
  return acquired.kind === 'leased' ? pay(context, acquired, tokens) : acquired;
}

async function pay(
  context: CheckoutContext,
  lease: LeasedAttempt,
  tokens: CardTokens,
): Promise<CheckoutResult> {
  const { order, attempt } = lease;
  const processed = await context.gateway.processPayment({
    ...paymentOf(context, lease),
    orderNumber: order.number,
    tokens,
  });
  switch (processed.kind) {
    case 'known':
      return storeAndRedirect(context, attempt, processed);
    case 'declined': {
      const { gatewayStatus } = processed;
      const finished = await finishAttempt(context, attempt, { kind: 'declined', gatewayStatus });
      return { kind: 'order', order: finished.order };
    }
    case 'refused':
      return failAttempt(context, attempt, processed.error);
    case 'unknown': {
      const { code, status, reason } = processed.error;
      const fields = { order: order.number, attempt: attempt.id, code, status, reason };
      context.log.error('card_payment.outcome_lost', fields);
      const finished = await finishAttempt(context, attempt, { kind: 'unknown', reason: code });
      return { kind: 'order', order: finished.order };
    }
  }
}

async function storeAndRedirect(
  context: CheckoutContext,
  attempt: Attempt,
  payment: Extract<ProcessedPayment, { kind: 'known' }>,
): Promise<CheckoutResult> {
  const { id: gatewayId, gatewayStatus, bankUrl } = payment;
  const finished = await finishAttempt(context, attempt, {
    kind: 'opened',
    gatewayId,
    gatewayStatus,
    url: bankUrl,
  });
  if (bankUrl !== undefined && !finished.late)
    return { kind: 'redirect', order: finished.order, url: bankUrl };
  const { order } = await settlePayment(context, attempt.orderId, 'card_answer');
  return { kind: 'order', order };
}
