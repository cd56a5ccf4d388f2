import type { Attempt } from '../db/attempts.js';
import type { Queries } from '../db/database.js';
import { type Order, patchOrder, recordEvent } from '../db/orders.js';
import { ShopError } from '../domain/shop-error.js';
import { applyTransition } from './apply-transition.js';
import type { CheckoutContext } from './context.js';
import { hasNoAnswer } from './lookups.js';
import { contactHashOf, isSameContact } from './order-ownership.js';
import type { CartToPlace, Placement } from './placement.js';
import { abandonmentOf, isAbandoned, isLeaseExpired } from './stale-attempts.js';
import { insertNewAttempt, reserveCart } from './write-order.js';

/** In milliseconds. A younger attempt of the same flow needs no lookup: a double click is likely. */
const JUST_OPENED_MS = 3_000;

/**
 * Renews the reservation of the order and returns how the customer pays it: with its live attempt, or with a new one. Of
 * the customer's data only name and address may be corrected.
 */
export async function payOrder(
  queries: Queries,
  context: CheckoutContext,
  order: Order,
  input: CartToPlace,
): Promise<Placement> {
  const { flow, attempts, at } = input;
  if (order.state === 'paid') return { kind: 'order', order };
  // An order whose payment may have succeeded keeps its reservation until its time.
  if (mayBePaid(order)) return { kind: 'order', order: await correctContact(queries, order, input) };
  const live = attempts.find((attempt) => attempt.live === 1);
  if (live?.state === 'creating' && !isLeaseExpired(live, at)) return { kind: 'busy', order };
  await reserveCart(queries, context, { ...input, order });
  const corrected = await correctContact(queries, order, input);
  const result = (live && resultOfLive(context, corrected, live, input)) ?? resultOfSuperseded(corrected, input);
  if (result) return result;
  if (live) {
    const patch = abandonmentOf(context, live, at);
    const event = { type: 'superseded' } as const;
    await applyTransition(queries, context, { order: corrected, attempt: live, event, at, patch });
  }
  return insertNewAttempt(queries, context, { order: corrected, flow, ordinal: attempts.length + 1 });
}

async function correctContact(
  queries: Queries,
  order: Order,
  { request: { contact }, at }: CartToPlace,
): Promise<Order> {
  if (isSameContact(order, contact)) return order;
  await recordEvent(queries, { orderId: order.id, at, kind: 'contact_corrected', detail: {} });
  const patch = { ...contact, contactHash: contactHashOf(order.id, contact) };
  return patchOrder(queries, order, { at, patch });
}

/** Returns how to continue with the live attempt; `undefined` if a new attempt may supersede it. */
function resultOfLive(
  { policy }: CheckoutContext,
  order: Order,
  live: Attempt,
  input: CartToPlace,
): Placement | undefined {
  const { flow, settled, at } = input;
  const settleFirst = { kind: 'settle_first', order, isCartChanged: false } as const;
  if (live.state === 'creating') return settleFirst;
  if (live.environment !== policy.environment) return undefined;
  const isSettled = settled?.order.id === order.id;
  const isExpired = at >= live.expiresAt;
  const isJustOpened = live.flow === flow && at - live.createdAt < JUST_OPENED_MS && !isExpired;
  if (!isSettled && !isJustOpened) return settleFirst;
  if (live.flow === 'card') return mayAbandon(live, input) ? undefined : { kind: 'order', order };
  const lookup = settled?.lookups.get(live.id);
  // If the lookup fails, an unexpired checkout session may still be shown.
  const isUsable = lookup !== 'not_found' && !(hasNoAnswer(lookup) && isExpired);
  if (flow === 'hosted' && live.redirectUrl !== null && isUsable)
    return { kind: 'redirect', order, url: live.redirectUrl };
  if (hasNoAnswer(lookup)) throw new ShopError('gateway_unavailable');
  return undefined;
}

/** A superseded attempt may be paid by now, so it is settled before the order gets a new attempt. */
function resultOfSuperseded(order: Order, { settled, attempts }: CartToPlace): Placement | undefined {
  const superseded = attempts.filter(isSuperseded);
  if (superseded.length > 0 && settled?.order.id !== order.id)
    return { kind: 'settle_first', order, isCartChanged: false };
  if (superseded.some(({ id }) => hasNoAnswer(settled?.lookups.get(id)))) throw new ShopError('gateway_unavailable');
  return undefined;
}

/** Returns whether the customer asked to replace a live card payment, and a lookup just confirmed that this is allowed. */
export function mayAbandon(live: Attempt, { request, settled, attempts, at }: CartToPlace): boolean {
  const isRequested = request.replaceAbandoned === true && settled?.lookups.get(live.id) === 'answered';
  return isRequested && isAbandoned(live, attempts, at);
}

/** Returns whether the attempt is no longer offered to the customer, and still watched for a payment. */
export function isSuperseded({ state }: Attempt): boolean {
  return state === 'superseded';
}

/** Returns whether the outcome of a payment is unknown, or the order is in review. */
export function mayBePaid({ state }: Order): boolean {
  return state === 'outcome_unknown' || state === 'review';
}
