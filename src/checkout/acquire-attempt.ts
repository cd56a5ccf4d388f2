import { setTimeout as delay } from 'node:timers/promises';
import { type Attempt, findAttempts } from '../db/attempts.js';
import { lockCartOfOrder } from '../db/carts.js';
import type { Queries } from '../db/database.js';
import { lockOrder, type Order } from '../db/orders.js';
import type { PaymentFlow } from '../domain/order.js';
import { ShopError } from '../domain/shop-error.js';
import { applyTransition } from './apply-transition.js';
import type { CheckoutContext } from './context.js';
import type { LookupResult } from './lookups.js';
import { type CheckoutRequest, type Placement, placeOrder } from './place-order.js';
import { settlePayment } from './settle-payment.js';
import { endLapsedAttempt, isAbandoned } from './stale-attempts.js';
import { insertNewAttempt, type LeasedAttempt, renewReservation } from './write-order.js';

/** Where the customer is sent: to the gateway or the bank, to the order page, or back to the cart or form. */
export type CheckoutResult =
  | { readonly kind: 'redirect'; readonly order: Order; readonly url: string }
  | Exclude<Placement, { readonly kind: 'leased' | 'reused' }>;

/** Poll interval while another caller starts an attempt: 25 ms serves a double click, then backoff up to 500 ms. */
const FIRST_POLL_MS = 25;
const LONGEST_POLL_MS = 500;
/** In milliseconds. A younger attempt of the same flow needs no lookup: a double click is likely. */
const JUST_OPENED_MS = 3_000;

/**
 * Places the order and leases an attempt to pay it, or returns where the customer is sent instead. An order has at most one
 * live attempt. Concurrent callers wait for the first caller's outcome. Throws `ShopError` `gateway_unavailable` if a live
 * attempt could not be looked up or the deadline passed, and as {@link placeOrder}.
 */
export async function acquireAttempt(
  context: CheckoutContext,
  request: CheckoutRequest,
  flow: PaymentFlow,
): Promise<LeasedAttempt | CheckoutResult> {
  const placed = await placeOrder(context, request, flow);
  if (placed.kind !== 'reused') return placed;
  // The order exists: its open checkout session is returned, or its live attempt is settled and the next one leased.
  const { id: orderId } = placed.order;
  const endsAt = performance.now() + context.policy.leaseMs[flow];
  let settled: LookupResult | undefined;
  let pollMs = FIRST_POLL_MS;
  while (performance.now() < endsAt) {
    await endLapsedAttempt(context, orderId);
    const step = await context.db.transaction((queries) =>
      acquireInTransaction(queries, context, orderId, { request, flow, settled }),
    );
    if (step.kind === 'leased') context.observer.attemptChanged(flow, 'creating');
    // The reservation ended meanwhile, and not enough is left. The cart is placed again, with what is left.
    if (step.kind === 'out_of_stock') return acquireAttempt(context, request, flow);
    if (step.kind !== 'busy' && step.kind !== 'settle_first') return step;
    if (step.kind === 'busy') {
      await delay(pollMs);
      pollMs = Math.min(pollMs * 1.5, LONGEST_POLL_MS);
      continue;
    }
    const { lookups } = await settlePayment(context, orderId, 'checkout');
    settled = lookups.get(step.attempt.id) ?? 'answered';
    if (settled === 'unreachable') return resultIfUnreachable(context, step.attempt, flow);
  }
  throw new ShopError('gateway_unavailable');
}

/** If the lookup fails, an unexpired checkout session may still be shown. No new attempt is started. */
async function resultIfUnreachable(
  context: CheckoutContext,
  attempt: Attempt,
  flow: PaymentFlow,
): Promise<CheckoutResult> {
  const order = await context.db.transaction((queries) => lockOrder(queries, attempt.orderId));
  if (attempt.flow === 'card') return { kind: 'order', order };
  const isUsable = flow === 'hosted' && context.clock.now() < attempt.expiresAt;
  if (!isUsable || attempt.redirectUrl === null) throw new ShopError('gateway_unavailable');
  return { kind: 'redirect', order, url: attempt.redirectUrl };
}

interface AcquireInput {
  readonly request: CheckoutRequest;
  readonly flow: PaymentFlow;
  /** Result of the lookup of the live attempt; `undefined` before the lookup. */
  readonly settled: LookupResult | undefined;
}

type Step =
  | LeasedAttempt
  | CheckoutResult
  | { readonly kind: 'out_of_stock' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'settle_first'; readonly attempt: Attempt };

async function acquireInTransaction(
  queries: Queries,
  context: CheckoutContext,
  orderId: string,
  input: AcquireInput,
): Promise<Step> {
  // A new attempt may reserve stock. For the lock order see db/stock.ts.
  await lockCartOfOrder(queries, orderId);
  const order = await lockOrder(queries, orderId);
  if (order.state === 'paid' || order.state === 'review' || order.state === 'outcome_unknown')
    return { kind: 'order', order };
  const attempts = await findAttempts(queries, orderId);
  const result = resultOfLive(context, input, order, attempts);
  if (result) return result;
  const at = context.clock.now();
  const { addressKey } = input.request;
  if (!(await renewReservation(queries, context, { order, addressKey, at }))) return { kind: 'out_of_stock' };
  const live = attempts.find((attempt) => attempt.live === 1);
  if (live) {
    const isGivenUp = live.flow === 'card' && live.environment === context.policy.environment;
    const patch = isGivenUp ? { abandonedAt: at } : undefined;
    const event = { type: 'superseded' } as const;
    await applyTransition(queries, context, { order, attempt: live, event, at, patch });
  }
  return insertNewAttempt(queries, context, { order, flow: input.flow, ordinal: attempts.length + 1 });
}

/** Returns what the live attempt requires; `undefined` if there is none, or if a new attempt may supersede it. */
function resultOfLive(
  { policy, clock }: CheckoutContext,
  { request, flow, settled }: AcquireInput,
  order: Order,
  attempts: readonly Attempt[],
): Step | undefined {
  const live = attempts.find((attempt) => attempt.live === 1);
  const at = clock.now();
  if (live?.state === 'creating') return { kind: 'busy' };
  if (live?.environment !== policy.environment) return undefined;
  const isJustOpened = live.flow === flow && at - live.createdAt < JUST_OPENED_MS && at < live.expiresAt;
  if (!settled && !isJustOpened) return { kind: 'settle_first', attempt: live };
  if (live.flow === 'card') {
    const mayReplace =
      request.replaceAbandoned === true && settled === 'answered' && isAbandoned(live, attempts, at);
    return mayReplace ? undefined : { kind: 'order', order };
  }
  if (flow !== 'hosted' || live.redirectUrl === null || settled === 'not_found') return undefined;
  return { kind: 'redirect', order, url: live.redirectUrl };
}

/** Returns what both flows send to the gateway. */
export function paymentOf({ policy }: CheckoutContext, { order, attempt }: LeasedAttempt) {
  return {
    idempotencyKey: attempt.id,
    reference: attempt.reference,
    contact: order,
    amount: attempt.amount,
    returnUrl: `${policy.publicUrl}/checkout/return/${order.token}`,
  };
}
