import type { Attempt } from '../../db/attempts.js';
import type { Order } from '../../db/orders.js';
import type { CardTokens } from '../../domain/card-data.js';
import { ShopError } from '../../domain/shop-error.js';
import type { ProcessedPayment } from '../../gateway/card-payments.js';
import { acquireAttempt } from '../acquire-attempt.js';
import { type CheckoutResult, toShopError } from '../checkout-result.js';
import type { CheckoutContext } from '../context.js';
import { finishAttempt } from '../finish-attempt.js';
import { type CheckoutRequest, placeOrder } from '../place-order.js';
import { settlePayment } from '../settle-payment.js';

/**
 * Places the order and sends at most one card payment for it (interface section 4.1). Returns a redirect if the bank
 * requires 3D Secure, otherwise the order after a lookup. Throws {@link ShopError} only if the card was provably not
 * charged.
 */
export async function startCardPayment(
  context: CheckoutContext,
  request: CheckoutRequest,
  tokens: CardTokens,
): Promise<CheckoutResult> {
  const placement = await placeOrder(context, request, 'card');
  if (placement.kind === 'cart_changed' || placement.kind === 'cart_empty') return placement;
  if (placement.kind === 'earlier_order') return { kind: 'order', order: placement.order };
  const acquired =
    placement.lease ?? (await acquireAttempt(context, placement.order.id, { ...request, flow: 'card' }));
  switch (acquired.kind) {
    case 'out_of_stock':
      return startCardPayment(context, request, tokens);
    case 'unreachable':
      throw new ShopError('gateway_unavailable');
    case 'closed':
    case 'open':
      return { kind: 'order', order: acquired.order };
    case 'leased':
      return pay(context, acquired, tokens);
  }
}

async function pay(
  context: CheckoutContext,
  { order, attempt }: { readonly order: Order; readonly attempt: Attempt },
  tokens: CardTokens,
): Promise<CheckoutResult> {
  const processed = await context.gateway.processPayment({
    idempotencyKey: attempt.id,
    reference: attempt.reference,
    orderNumber: order.number,
    contact: order,
    amount: attempt.amount,
    returnUrl: `${context.policy.publicUrl}/checkout/return/${order.token}`,
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
      await finishAttempt(context, attempt, { kind: 'failed', reason: processed.error.code });
      throw toShopError(processed.error);
    case 'unknown': {
      context.log.error('card_payment.outcome_lost', {
        order: order.number,
        attempt: attempt.id,
        code: processed.error.code,
        status: processed.error.status,
        reason: processed.error.reason,
      });
      const finished = await finishAttempt(context, attempt, {
        kind: 'unknown',
        reason: processed.error.code,
      });
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
