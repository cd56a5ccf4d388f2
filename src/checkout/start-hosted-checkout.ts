import { findOrderLines } from '../db/orders.js';
import { ShopError } from '../domain/shop-error.js';
import { GatewayError } from '../gateway/errors.js';
import type { StartedSession } from '../gateway/hosted-sessions.js';
import { type CheckoutStep, toShopError } from './checkout-step.js';
import { type ClaimedAttempt, claimAttempt } from './claim-attempt.js';
import { finishAttempt } from './finish-attempt.js';
import { type CheckoutRequest, placeOrder } from './place-order.js';
import type { CheckoutServices } from './services.js';

/**
 * Places the order and creates its checkout session, or returns the open one. Safe to repeat: a double click, a second
 * tab and the Back button return the same URL. Throws {@link ShopError} `service_unavailable` or `payment_refused`;
 * order and cart stay, and the customer may try again.
 */
export async function startHostedCheckout(
  services: CheckoutServices,
  request: CheckoutRequest,
): Promise<CheckoutStep> {
  const placement = await placeOrder(services, request, 'hosted');
  if (placement.kind === 'cart_changed' || placement.kind === 'cart_empty') return placement;
  if (placement.kind === 'earlier_order') return { kind: 'order', order: placement.order };
  const claim =
    placement.claim ?? (await claimAttempt(services, placement.order.id, { ...request, kind: 'hosted' }));
  switch (claim.kind) {
    case 'unreachable':
      throw new ShopError('service_unavailable');
    case 'closed':
      return { kind: 'order', order: claim.order };
    case 'open':
      return { kind: 'redirect', order: claim.order, url: claim.url };
    case 'claimed':
      return openSession(services, claim);
  }
}

async function openSession(services: CheckoutServices, claim: ClaimedAttempt): Promise<CheckoutStep> {
  const { order, attempt } = claim;
  const session = await callService(services, claim);
  if (session.kind === 'unusable') {
    services.log.error('session_unusable', {
      order: order.number,
      attempt: attempt.id,
      reason: session.fault,
    });
    await finishAttempt(services, attempt, { kind: 'failed', reason: session.fault, serviceId: session.id });
    throw new ShopError('payment_refused');
  }
  const finished = await finishAttempt(services, attempt, {
    kind: 'opened',
    serviceId: session.id,
    url: session.url,
  });
  return finished.late
    ? { kind: 'order', order: finished.order }
    : { kind: 'redirect', order: finished.order, url: session.url };
}

async function callService(
  services: CheckoutServices,
  { order, attempt, lines }: ClaimedAttempt,
): Promise<StartedSession> {
  const request = {
    idempotencyKey: attempt.id,
    reference: attempt.reference,
    contact: order,
    lines: lines ?? (await findOrderLines(services.db.queries, order.id)),
    amount: attempt.amount,
    returnUrl: `${services.policy.publicUrl}/checkout/return/${order.token}`,
    expiresAt: attempt.expiresAt,
  };
  try {
    return await services.gateway.startSession(request, services.clock.now());
  } catch (error) {
    await finishAttempt(services, attempt, { kind: 'failed', reason: reasonOf(error) });
    throw toShopError(error);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof GatewayError ? error.code : 'unexpected';
}
