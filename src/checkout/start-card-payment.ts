import type { Attempt } from '../db/attempts.js';
import type { Order } from '../db/orders.js';
import type { CardTokens } from '../domain/card-data.js';
import { ShopError } from '../domain/shop-error.js';
import type { ProcessedPayment } from '../gateway/card-payments.js';
import { type CheckoutStep, toShopError } from './checkout-step.js';
import { claimAttempt } from './claim-attempt.js';
import { finishAttempt } from './finish-attempt.js';
import { type CheckoutRequest, placeOrder } from './place-order.js';
import type { CheckoutServices } from './services.js';
import { settlePayment } from './settle-payment.js';

/**
 * Places the order and sends at most one card payment for it (interface section 4.1). Returns a redirect if the bank
 * requires 3D Secure, otherwise the order after a lookup. Throws {@link ShopError} only if the card was provably not
 * charged.
 */
export async function startCardPayment(
  services: CheckoutServices,
  request: CheckoutRequest,
  tokens: CardTokens,
): Promise<CheckoutStep> {
  const placement = await placeOrder(services, request, 'card');
  if (placement.kind === 'cart_changed' || placement.kind === 'cart_empty') return placement;
  if (placement.kind === 'earlier_order') return { kind: 'order', order: placement.order };
  const claim =
    placement.claim ?? (await claimAttempt(services, placement.order.id, { ...request, kind: 'card' }));
  switch (claim.kind) {
    case 'unreachable':
      throw new ShopError('service_unavailable');
    case 'closed':
    case 'open':
      return { kind: 'order', order: claim.order };
    case 'claimed':
      return pay(services, claim, tokens);
  }
}

async function pay(
  services: CheckoutServices,
  { order, attempt }: { readonly order: Order; readonly attempt: Attempt },
  tokens: CardTokens,
): Promise<CheckoutStep> {
  const processed = await services.gateway.processPayment({
    idempotencyKey: attempt.id,
    reference: attempt.reference,
    orderNumber: order.number,
    contact: order,
    amount: attempt.amount,
    returnUrl: `${services.policy.publicUrl}/checkout/return/${order.token}`,
    tokens,
  });
  switch (processed.kind) {
    case 'known':
      return follow(services, attempt, processed);
    case 'declined': {
      const { words } = processed;
      const finished = await finishAttempt(services, attempt, { kind: 'declined', words });
      return { kind: 'order', order: finished.order };
    }
    case 'refused':
      await finishAttempt(services, attempt, { kind: 'failed', reason: processed.error.code });
      throw toShopError(processed.error);
    case 'unknown': {
      services.log.error('card_outcome_unknown', {
        order: order.number,
        attempt: attempt.id,
        code: processed.error.code,
        status: processed.error.status,
        reason: processed.error.reason,
      });
      const finished = await finishAttempt(services, attempt, {
        kind: 'unknown',
        reason: processed.error.code,
      });
      return { kind: 'order', order: finished.order };
    }
  }
}

async function follow(
  services: CheckoutServices,
  attempt: Attempt,
  payment: Extract<ProcessedPayment, { kind: 'known' }>,
): Promise<CheckoutStep> {
  const { id: serviceId, words, bankUrl } = payment;
  const finished = await finishAttempt(services, attempt, {
    kind: 'opened',
    serviceId,
    words,
    ...(bankUrl !== undefined && { url: bankUrl }),
  });
  if (bankUrl !== undefined && !finished.late)
    return { kind: 'redirect', order: finished.order, url: bankUrl };
  const { order } = await settlePayment(services, attempt.orderId, 'card_answer');
  return { kind: 'order', order };
}
