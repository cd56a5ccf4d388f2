import { findOrderLines } from '../../db/orders.js';
import { ShopError } from '../../domain/shop-error.js';
import { GatewayError } from '../../gateway/errors.js';
import type { StartedSession } from '../../gateway/hosted-sessions.js';
import { acquireAttempt, type LeasedAttempt } from '../acquire-attempt.js';
import { type CheckoutResult, toShopError } from '../checkout-result.js';
import type { CheckoutContext } from '../context.js';
import { finishAttempt } from '../finish-attempt.js';
import { type CheckoutRequest, placeOrder } from '../place-order.js';

/**
 * Places the order and creates its checkout session, or returns the open one. Safe to repeat: a double click, a second
 * tab and the Back button return the same URL. Throws {@link ShopError} `gateway_unavailable` or `payment_refused`;
 * order and cart stay, and the customer may try again.
 */
export async function startHostedCheckout(
  context: CheckoutContext,
  request: CheckoutRequest,
): Promise<CheckoutResult> {
  const placement = await placeOrder(context, request, 'hosted');
  if (placement.kind === 'cart_changed' || placement.kind === 'cart_empty') return placement;
  if (placement.kind === 'earlier_order') return { kind: 'order', order: placement.order };
  const acquired =
    placement.lease ?? (await acquireAttempt(context, placement.order.id, { ...request, flow: 'hosted' }));
  switch (acquired.kind) {
    case 'out_of_stock':
      return startHostedCheckout(context, request);
    case 'unreachable':
      throw new ShopError('gateway_unavailable');
    case 'closed':
      return { kind: 'order', order: acquired.order };
    case 'open':
      return { kind: 'redirect', order: acquired.order, url: acquired.url };
    case 'leased':
      return openSession(context, acquired);
  }
}

async function openSession(context: CheckoutContext, lease: LeasedAttempt): Promise<CheckoutResult> {
  const { order, attempt } = lease;
  const session = await callGateway(context, lease);
  if (session.kind === 'unusable') {
    context.log.error('session.rejected', {
      order: order.number,
      attempt: attempt.id,
      reason: session.fault,
    });
    await finishAttempt(context, attempt, { kind: 'failed', reason: session.fault, gatewayId: session.id });
    throw new ShopError('payment_refused');
  }
  const finished = await finishAttempt(context, attempt, {
    kind: 'opened',
    gatewayId: session.id,
    url: session.url,
  });
  return finished.late
    ? { kind: 'order', order: finished.order }
    : { kind: 'redirect', order: finished.order, url: session.url };
}

async function callGateway(
  context: CheckoutContext,
  { order, attempt, lines }: LeasedAttempt,
): Promise<StartedSession> {
  const request = {
    idempotencyKey: attempt.id,
    reference: attempt.reference,
    contact: order,
    lines: lines ?? (await findOrderLines(context.db.queries, order.id)),
    amount: attempt.amount,
    returnUrl: `${context.policy.publicUrl}/checkout/return/${order.token}`,
    expiresAt: attempt.expiresAt,
  };
  try {
    return await context.gateway.startSession(request, context.clock.now());
  } catch (error) {
    await finishAttempt(context, attempt, { kind: 'failed', reason: reasonOf(error) });
    throw toShopError(error);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof GatewayError ? error.code : 'unexpected';
}
