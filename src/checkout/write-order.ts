import { randomBytes } from 'node:crypto';
import { type Attempt, insertAttempt } from '../db/attempts.js';
import type { Queries, Transaction } from '../db/connection/database.js';
import {
  insertOrder,
  isPaidByOtherOrder,
  type Order,
  type OrderEvent,
  recordEvents,
  updateSuccessor,
} from '../db/orders.js';
import { countReservations, putReservation, releaseCart } from '../db/stock.js';
import { freezeLines } from '../domain/cart.js';
import type { Offer } from '../domain/charges.js';
import {
  attemptReference,
  ID_BYTES,
  ORDER_NUMBER_BYTES,
  ORDER_TOKEN_BYTES,
  orderNumber,
  orderToken,
  timeOrderedId,
} from '../domain/ids.js';
import { CURRENCY } from '../domain/money.js';
import type { PaymentFlow } from '../domain/order.js';
import { OFFER_MARGIN_MS } from '../domain/payment.js';
import { ShopError } from '../domain/shop-error.js';
import { applyTransition } from './apply-transition.js';
import type { CheckoutContext } from './context.js';
import { contactHashOf } from './order-ownership.js';
import type { CartToPlace, LeasedAttempt } from './placement.js';
import { abandonmentOf } from './stale-attempts.js';

const MAX_RESERVATION_MS = 60 * 60_000;
/** Unpaid orders with a reservation per client address, so that one client cannot reserve the whole stock. */
const MAX_RESERVED_ORDERS = 20;

/** Inserts the order, its reservation and its first attempt, and ends the earlier order. */
export async function writeOrder(
  queries: Transaction,
  context: CheckoutContext,
  input: CartToPlace,
  offer: Offer,
): Promise<LeasedAttempt> {
  const { cart, priced, request, flow, earlier, attempts, at } = input;
  const { contact, locale } = request;
  const id = timeOrderedId(at, randomBytes(ID_BYTES));
  const number = orderNumber(context.policy.orderPrefix, randomBytes(ORDER_NUMBER_BYTES));
  const row = {
    id,
    number,
    token: orderToken(randomBytes(ORDER_TOKEN_BYTES)),
    cartId: cart.id,
    cartVersion: cart.version,
    state: 'created' as const,
    version: 1,
    total: offer.total,
    currency: CURRENCY,
    ...contact,
    shippingOption: offer.id,
    contactHash: contactHashOf(id, contact),
    locale,
    reviewReason: null,
    supersededBy: null,
    paidAttemptId: null,
    createdAt: at,
    updatedAt: at,
    paidAt: null,
    confirmedAt: null,
  };
  const charges = offer.charges.map((charge) => ({ ...charge, name: request.nameOfCharge(charge.productId) }));
  const lines = freezeLines(priced, locale, charges);
  await insertOrder(queries, row, lines);
  if (earlier) {
    await replaceOrder(queries, context, { order: earlier, attempts, successor: row });
    await releaseCart(queries, cart.id);
  }
  await reserveCart(queries, context, { order: row, priced, request, at });
  const placed = { orderId: id, at, kind: 'placed', detail: { total: row.total } };
  const lease = await insertNewAttempt(queries, context, { order: row, flow, ordinal: 1, before: [placed] });
  return { ...lease, lines };
}

/**
 * Ends the order that a changed cart replaces. The orders are linked, so that a payment of both is detected. They are not
 * linked if another order already paid for the earlier products. That payment emptied the cart, so the new order is for
 * other products.
 */
async function replaceOrder(
  queries: Transaction,
  context: CheckoutContext,
  { order, attempts, successor }: { order: Order; attempts: readonly Attempt[]; successor: Order },
): Promise<void> {
  if (order.state === 'paid') return;
  const linked = !(await isPaidByOtherOrder(queries, order));
  if (linked) await updateSuccessor(queries, order.id, successor.id);
  const attempt = attempts.find(({ live }) => live === 1) ?? attempts.at(-1);
  if (!attempt) throw new Error('an order without an attempt');
  const { createdAt: at } = successor;
  await applyTransition(queries, context, {
    order,
    attempt,
    event: { type: 'order_replaced' },
    trigger: 'checkout',
    at,
    patch: abandonmentOf(context, attempt, at),
    orderPatch: linked ? { supersededBy: successor.id } : undefined,
    history: { kind: 'superseded', detail: { replacedBy: successor.number } },
  });
}

/**
 * Inserts a new attempt. The caller's transaction must have locked or created the order, and no attempt may be live.
 * `before`: history events to write before `attempt_started`.
 */
export async function insertNewAttempt(
  queries: Queries,
  context: CheckoutContext,
  {
    order,
    flow,
    ordinal,
    before = [],
  }: { order: Order; flow: PaymentFlow; ordinal: number; before?: readonly OrderEvent[] },
): Promise<LeasedAttempt> {
  const at = context.clock.now();
  const attempt = await insertAttempt(queries, {
    id: timeOrderedId(at, randomBytes(ID_BYTES)),
    orderId: order.id,
    ordinal,
    flow,
    state: 'creating',
    environment: context.policy.environment,
    keyFingerprint: context.policy.keyFingerprint,
    reference: attemptReference(order.number, ordinal),
    amount: order.total,
    offerEndsAt: at + context.policy.orderTtlMs,
    leasedUntil: at + context.policy.leaseMs[flow],
    checkedAt: 0,
    nextCheckAt: at + context.policy.leaseMs[flow],
    checks: 0,
    createdAt: at,
    updatedAt: at,
  });
  const detail = { attempt: ordinal, flow };
  await recordEvents(queries, [...before, { orderId: order.id, at, kind: 'attempt_started', detail }]);
  return { kind: 'leased', order, attempt };
}

/**
 * Reserves the limited products of a cart for its order, or renews the reservation. The caller must have locked the
 * products and priced the cart afterwards. Throws `too_many_attempts` above the limit per address.
 */
export async function reserveCart(
  queries: Queries,
  { policy }: CheckoutContext,
  input: Pick<CartToPlace, 'priced' | 'request' | 'at'> & { readonly order: Pick<Order, 'id' | 'cartId'> },
): Promise<void> {
  const { priced, request, order, at } = input;
  const { id: orderId, cartId } = order;
  const { addressKey } = request;
  const lines = priced.lines
    .filter(({ product }) => product.stock !== null)
    .map(({ product, quantity }) => ({ productId: product.id, quantity }));
  if (lines.length === 0) return;
  if (addressKey !== undefined) {
    const count = await countReservations(queries, { addressKey, cartId, at });
    if (count >= MAX_RESERVED_ORDERS) throw new ShopError('too_many_attempts');
  }
  const expiresAt = at + Math.min(policy.orderTtlMs + OFFER_MARGIN_MS, MAX_RESERVATION_MS);
  await putReservation(queries, { orderId, cartId, expiresAt, addressKey: addressKey ?? '' }, lines);
}
