import { setTimeout as delay } from 'node:timers/promises';
import type { Order } from '../db/orders.js';
import type { PaymentFlow } from '../domain/order.js';
import { ShopError } from '../domain/shop-error.js';
import type { CheckoutContext } from './context.js';
import { hasNoAnswer } from './lookups.js';
import { placeOrder } from './place-order.js';
import type { CheckoutRequest, CheckoutResult, LeasedAttempt, Placement } from './placement.js';
import { type Settled, settlePayment } from './settle-payment.js';

/** Poll interval while another caller starts an attempt: 25 ms serves a double click, then backoff up to 500 ms. */
const FIRST_POLL_MS = 25;
const LONGEST_POLL_MS = 500;
/** A card payment takes up to 24.5 s, so a request that waited longer could not end before its own deadline of 28 s. */
const LONGEST_CARD_WAIT_MS = 3_000;

/**
 * Places the order and leases an attempt to pay it, or returns where the customer is sent instead. An order has at most one
 * live attempt. Concurrent callers wait for the first caller's outcome. A card form waits 3 s, and then gets the order page.
 * Throws `ShopError` `gateway_unavailable` if an earlier payment could not be looked up or the deadline passed, and as
 * {@link placeOrder}.
 */
export async function acquireAttempt(
  context: CheckoutContext,
  request: CheckoutRequest,
  flow: PaymentFlow,
): Promise<LeasedAttempt | CheckoutResult> {
  const { cartId } = request;
  if (!cartId) return { kind: 'cart_empty' };
  const startedAt = performance.now();
  const leaseMs = context.policy.leaseMs[flow];
  const longestWaitMs = flow === 'card' ? LONGEST_CARD_WAIT_MS : leaseMs;
  let settled: Settled | undefined;
  let paying: Order | undefined;
  let pollMs = FIRST_POLL_MS;
  while (performance.now() - startedAt < leaseMs) {
    const step = await context.db.transaction((queries) =>
      placeOrder(queries, context, { cartId, request, flow, settled, paying }),
    );
    if (step.kind === 'leased') reportLeased(context, step);
    if (step.kind !== 'busy' && step.kind !== 'settle_first') return step;
    // From now on this request pays only this order, unless a changed cart replaces it.
    if (step.kind === 'busy' || !step.isCartChanged) paying = step.order;
    if (step.kind === 'settle_first') {
      settled = await settleFirst(context, step);
      continue;
    }
    if (performance.now() - startedAt >= longestWaitMs) return { kind: 'order', order: step.order };
    await delay(pollMs);
    pollMs = Math.min(pollMs * 1.5, LONGEST_POLL_MS);
  }
  throw new ShopError('gateway_unavailable');
}

/** Settles an earlier payment. Throws if a new order would replace one whose lookup has no answer. */
async function settleFirst(
  context: CheckoutContext,
  { order, isCartChanged }: Extract<Placement, { kind: 'settle_first' }>,
): Promise<Settled> {
  const settled = await settlePayment(context, order.id, 'checkout');
  const isUnanswered = [...settled.lookups.values()].some(hasNoAnswer);
  if (isCartChanged && isUnanswered) throw new ShopError('gateway_unavailable');
  return settled;
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
    orderNumber: order.number,
    contact: order,
    amount: attempt.amount,
    returnUrl: `${policy.publicUrl}/checkout/return/${order.token}`,
  };
}
