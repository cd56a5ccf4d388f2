import { setTimeout as delay } from 'node:timers/promises';
import type { Order } from '../db/orders.js';
import type { PaymentFlow } from '../domain/order.js';
import { ShopError } from '../domain/shop-error.js';
import type { CheckoutContext } from './context.js';
import { hasNoAnswer } from './lookups.js';
import { placeOrder } from './place-order.js';
import type { CheckoutRequest, CheckoutResult, LeasedAttempt } from './placement.js';
import { type Settled, settlePayment } from './settle-payment.js';

/** Poll interval while another caller starts an attempt: 25 ms serves a double click, then backoff up to 500 ms. */
const FIRST_POLL_MS = 25;
const LONGEST_POLL_MS = 500;

/**
 * Places the order and leases an attempt to pay it, or returns where the customer is sent instead. An order has at most one
 * live attempt. Concurrent callers wait for the first caller's outcome. Throws `ShopError` `gateway_unavailable` if an
 * earlier payment could not be looked up or the deadline passed, and as {@link placeOrder}.
 */
export async function acquireAttempt(
  context: CheckoutContext,
  request: CheckoutRequest,
  flow: PaymentFlow,
): Promise<LeasedAttempt | CheckoutResult> {
  const { cartId } = request;
  if (!cartId) return { kind: 'cart_empty' };
  const endsAt = performance.now() + context.policy.leaseMs[flow];
  let settled: Settled | undefined;
  let paying: Order | undefined;
  let pollMs = FIRST_POLL_MS;
  while (performance.now() < endsAt) {
    const step = await context.db.transaction((queries) =>
      placeOrder(queries, context, { cartId, request, flow, settled, paying }),
    );
    if (step.kind === 'leased') reportLeased(context, step);
    if (step.kind !== 'busy' && step.kind !== 'settle_first') return step;
    // From now on this request pays only this order.
    if (step.kind === 'busy' || !step.isCartChanged) paying = step.order;
    if (step.kind === 'busy') {
      await delay(pollMs);
      pollMs = Math.min(pollMs * 1.5, LONGEST_POLL_MS);
      continue;
    }
    settled = await settlePayment(context, step.order.id, 'checkout');
    const isUnanswered = [...settled.lookups.values()].some(hasNoAnswer);
    if (step.isCartChanged && isUnanswered) throw new ShopError('gateway_unavailable');
  }
  throw new ShopError('gateway_unavailable');
}

function reportLeased({ log, observer }: CheckoutContext, { order, attempt }: LeasedAttempt): void {
  if (attempt.ordinal === 1) log.info('order.placed', { order: order.number });
  observer.attemptChanged(attempt.flow, attempt.state);
}

/** Returns what both flows send to the gateway. */
export function paymentRequestOf({ policy }: CheckoutContext, { order, attempt }: LeasedAttempt) {
  return {
    idempotencyKey: attempt.id,
    reference: attempt.reference,
    contact: order,
    amount: attempt.amount,
    returnUrl: `${policy.publicUrl}/checkout/return/${order.token}`,
  };
}
