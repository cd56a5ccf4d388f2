import { type Attempt, isOffered, isPayable } from '../db/attempts.js';
import type { Queries, Transaction } from '../db/connection/database.js';
import { type Order, patchOrder, recordEvent } from '../db/orders.js';
import { ShopError } from '../domain/shop-error.js';
import { applyTransition } from './apply-transition.js';
import type { CheckoutContext } from './context.js';
import { hasNoAnswer } from './lookups.js';
import { contactHashOf, isSameContact } from './order-ownership.js';
import type { CartToPlace, Placement } from './placement.js';
import { abandonmentOf, isAbandoned, isLeaseExpired, mayStartAnother } from './stale-attempts.js';
import { insertNewAttempt, reserveCart } from './write-order.js';

/** In milliseconds. A younger attempt of the same flow needs no lookup: a double click is likely. */
const JUST_OPENED_MS = 3_000;

/**
 * Renews the reservation of the order and returns how the customer pays it: with its live attempt, or with a new one. Of
 * the customer's data only name and address may be corrected.
 */
export async function startAttempt(
  queries: Transaction,
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
  const corrected = await correctContact(queries, order, input);
  const result = resultOfUnended(context, corrected, input);
  // The customer pays now, on the page that is open or with a new attempt.
  if (!result || result.kind === 'redirect') await reserveCart(queries, context, { ...input, order });
  if (result) return result;
  if (live) {
    const patch = abandonmentOf(context, live, at);
    const event = { type: 'superseded' } as const;
    await applyTransition(queries, context, { order: corrected, attempt: live, event, trigger: 'checkout', at, patch });
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

/**
 * Returns how to continue with the attempts that may still be paid; `undefined` if a new attempt may start beside them.
 * Each must have been looked up in this request.
 */
function resultOfUnended(
  { policy }: CheckoutContext,
  order: Order,
  { flow, settled, attempts, request, at }: CartToPlace,
): Placement | undefined {
  const showOrder = { kind: 'order', order } as const;
  const live = attempts.find((attempt) => attempt.live === 1);
  // An attempt of other addresses cannot be looked up. It does not keep the customer from paying.
  const unended = attempts.filter((attempt) => isPayable(attempt) && attempt.environment === policy.environment);
  const isJustOpened = live?.flow === flow && at - live.createdAt < JUST_OPENED_MS && at < live.offerEndsAt;
  const isSettled = settled?.order.id === order.id || (isJustOpened && unended.length === 1);
  if (live?.state === 'creating' || (!isSettled && unended.length > 0))
    return { kind: 'settle_first', order, isCartChanged: false };
  const resultOf = ({ id }: Attempt) => settled?.lookups.get(id);
  // The order page shows that the bank's page is still open.
  const isAtBank = live?.flow === 'card';
  // A page whose lookup failed may still be shown.
  const page = unended.find((attempt) => isOffered(attempt, at) && resultOf(attempt) !== 'not_found');
  if (flow === 'hosted' && page?.redirectUrl && !isAtBank) return { kind: 'redirect', order, url: page.redirectUrl };
  if (!isAtBank && unended.some((attempt) => hasNoAnswer(resultOf(attempt))))
    throw new ShopError('gateway_unavailable');
  const open = unended.filter((attempt) => resultOf(attempt) !== 'other_environment');
  if (!open.every((each) => resultOf(each) === 'answered') || !mayStartAnother(open, attempts, at)) return showOrder;
  if (request.payAgain === true || open.length === 0) return undefined;
  return isAtBank ? showOrder : { kind: 'confirm_pay_again' };
}

/** Returns whether the customer asked to replace a live card payment, and a lookup just confirmed that this is allowed. */
export function mayAbandon(live: Attempt, { request, settled, attempts, at }: CartToPlace): boolean {
  const isRequested = request.payAgain === true && settled?.lookups.get(live.id) === 'answered';
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
