import { randomBytes } from 'node:crypto';
import { type Cart, freezeLines, type PricedCart, priceCart } from '../core/cart.js';
import type { Locale } from '../core/catalogue.js';
import type { Contact } from '../core/contact.js';
import {
  ID_BYTES,
  ORDER_NUMBER_BYTES,
  ORDER_TOKEN_BYTES,
  orderNumber,
  orderToken,
  timeOrderedId,
} from '../core/ids.js';
import { CURRENCY } from '../core/money.js';
import type { AttemptKind } from '../core/order.js';
import { ShopError } from '../core/shop-error.js';
import { findAttempts, putAttempt } from '../store/attempts.js';
import { bumpCart, lockCart, putCartLine } from '../store/carts.js';
import type { Queries } from '../store/database.js';
import { recordEvent } from '../store/history.js';
import {
  findLatestOrderOfCart,
  insertOrder,
  isPaidElsewhere,
  lockOrder,
  moveOrder,
  type Order,
  patchOrder,
  repointSuccessor,
} from '../store/orders.js';
import { type ClaimedAttempt, makeAttempt } from './claim-attempt.js';
import { isOwnOrder, isSamePerson } from './order-ownership.js';
import type { CheckoutServices } from './services.js';
import { settlePayment } from './settle-payment.js';

export interface CheckoutRequest {
  readonly cartId: string | undefined;
  readonly contact: Contact;
  readonly locale: Locale;
  /** Marks of the orders that this shopper's session placed. */
  readonly ownOrders: readonly string[];
  /** The total on the page the shopper submitted, in centavos; absent when the page did not say. */
  readonly seenTotal?: string;
}

export type Placement =
  /** A new order has its first attempt already, claimed by whoever placed it. */
  | { readonly kind: 'placed'; readonly order: Order; readonly claim?: ClaimedAttempt }
  /** An earlier order of this cart has to end first, or already answers for it. */
  | { readonly kind: 'earlier_order'; readonly order: Order }
  /** Prices or contents are not those that the shopper saw: to be shown and confirmed again. */
  | { readonly kind: 'cart_changed'; readonly cart: PricedCart }
  | { readonly kind: 'cart_empty' };

/**
 * Turns the cart, as it stands, into an order: the frozen lines, total and contact, and the intent to pay it, written
 * before any call to the service. One version of a cart becomes one order at the most, whoever asks how often.
 */
export async function placeOrder(
  services: CheckoutServices,
  request: CheckoutRequest,
  kind: AttemptKind,
): Promise<Placement> {
  const { cartId } = request;
  if (!cartId) return { kind: 'cart_empty' };
  const wish = { cartId, request, kind };
  let look = await place(services, wish);
  if (look.kind === 'settle_first') {
    const { reached } = await settlePayment(services, look.order.id, 'checkout');
    if (!reached) throw new ShopError('service_unavailable');
    look = await place(services, { ...wish, settled: look.order.id });
  }
  // Another tab has placed one meanwhile: its page tells.
  if (look.kind === 'settle_first') return { kind: 'earlier_order', order: look.order };
  if (look.kind === 'placed' && look.claim) tell(services, look.claim);
  return look;
}

interface Wish {
  readonly cartId: string;
  readonly request: CheckoutRequest;
  /** How the shopper wants to pay. */
  readonly kind: AttemptKind;
  /** The earlier order that has just been looked up. */
  readonly settled?: string;
}

type Look = Placement | { readonly kind: 'settle_first'; readonly order: Order };

function place(services: CheckoutServices, wish: Wish): Promise<Look> {
  return services.db.transaction(async (queries): Promise<Look> => {
    const cart = await lockCart(queries, wish.cartId);
    if (!cart) return { kind: 'cart_empty' };
    const priced = priceCart(cart);
    const earlier = await findLatestOrderOfCart(queries, wish.cartId);
    if (priced.lines.length > 0) return placeFrom(queries, services, { ...wish, cart, priced, earlier });
    if (!earlier) return { kind: 'cart_empty' };
    return mayBePaid(earlier, cart, wish)
      ? { kind: 'settle_first', order: earlier }
      : { kind: 'earlier_order', order: earlier };
  });
}

function tell({ log, observer }: CheckoutServices, { order, attempt }: ClaimedAttempt): void {
  log.info('order_placed', { order: order.number });
  observer.attemptBecame(attempt.kind, attempt.state);
}

async function placeFrom(queries: Queries, services: CheckoutServices, place: NewOrder): Promise<Look> {
  const { priced, request, earlier } = place;
  const cart = await refreshPrices(queries, { cart: place.cart, priced, at: services.clock.now() });
  if (differsFromSeen(priced, request.seenTotal)) return { kind: 'cart_changed', cart: priced };
  const same = earlier?.cartVersion === cart.version ? earlier : undefined;
  if (same) return takeUp(queries, services, { order: same, request });
  if (earlier && mayBePaid(earlier, cart, place)) return { kind: 'settle_first', order: earlier };
  if (earlier && !(await mayReplace(queries, earlier))) return { kind: 'earlier_order', order: earlier };
  return writeOrder(queries, services, { ...place, cart });
}

/** An earlier, unfinished order of the cart may have been paid in another tab: its money must be known first. */
function mayBePaid(earlier: Order, cart: Cart, { settled }: Wish): boolean {
  return earlier.id !== settled && earlier.state === 'pending' && earlier.cartVersion !== cart.version;
}

async function refreshPrices(
  queries: Queries,
  { cart, priced, at }: { readonly cart: Cart; readonly priced: PricedCart; readonly at: number },
): Promise<Cart> {
  if (priced.repriced.length === 0 && priced.withdrawn.length === 0) return cart;
  for (const line of priced.lines) {
    const { product, quantity } = line;
    await putCartLine(queries, {
      cartId: cart.id,
      productId: product.id,
      quantity,
      seenPrice: product.price,
      at,
    });
  }
  for (const productId of priced.withdrawn) {
    await putCartLine(queries, { cartId: cart.id, productId, quantity: 0, seenPrice: priced.total, at });
  }
  await bumpCart(queries, cart.id, at);
  return { ...cart, version: cart.version + 1 };
}

function differsFromSeen(priced: PricedCart, seenTotal: string | undefined): boolean {
  if (seenTotal !== undefined) return seenTotal !== String(priced.total);
  return priced.repriced.length > 0 || priced.withdrawn.length > 0;
}

/** The order that this cart became before: its own shopper goes on with it, anyone else is led to its bare page. */
async function takeUp(
  queries: Queries,
  services: CheckoutServices,
  { order, request }: { readonly order: Order; readonly request: CheckoutRequest },
): Promise<Placement> {
  if (!isOwnOrder(order, request) && !(await isUntold(queries, order)))
    return { kind: 'earlier_order', order };
  return { kind: 'placed', order: await correctContact(queries, services, { order, request }) };
}

/** Whether no payment of the order was begun that stands: then nobody was told of it, not even its own shopper. */
async function isUntold(queries: Queries, order: Order): Promise<boolean> {
  if (order.state !== 'created') return false;
  const attempts = await findAttempts(queries, order.id);
  return !attempts.some((attempt) => attempt.live === 1);
}

/** A corrected e-mail reaches the receipt; the lines and the total of an order never change. */
async function correctContact(
  queries: Queries,
  services: CheckoutServices,
  { order, request }: { readonly order: Order; readonly request: CheckoutRequest },
): Promise<Order> {
  const { firstName, lastName, email } = request.contact;
  if (order.state === 'paid' || isSamePerson(order, request.contact)) return order;
  const at = services.clock.now();
  const locked = await lockOrder(queries, order.id);
  const corrected = await patchOrder(queries, locked, { at, patch: { firstName, lastName, email } });
  await recordEvent(queries, { orderId: order.id, at, kind: 'contact_corrected', detail: {} });
  return corrected;
}

/** A card payment that may still go through, and anything a person has to look at, stands in the way of a new order. */
async function mayReplace(queries: Queries, earlier: Order): Promise<boolean> {
  if (earlier.state === 'outcome_unknown' || earlier.state === 'review') return false;
  const attempts = await findAttempts(queries, earlier.id);
  return !attempts.some((attempt) => attempt.live === 1 && attempt.kind === 'card');
}

interface NewOrder extends Wish {
  readonly cart: Cart;
  readonly priced: PricedCart;
  readonly earlier: Order | undefined;
}

/** The order and the intent to pay it. */
async function writeOrder(queries: Queries, services: CheckoutServices, order: NewOrder): Promise<Placement> {
  const at = services.clock.now();
  const { firstName, lastName, email } = order.request.contact;
  const id = timeOrderedId(at, randomBytes(ID_BYTES));
  const number = orderNumber(randomBytes(ORDER_NUMBER_BYTES));
  const row = {
    id,
    number,
    token: orderToken(randomBytes(ORDER_TOKEN_BYTES)),
    cartId: order.cart.id,
    cartVersion: order.cart.version,
    state: 'created' as const,
    version: 1,
    total: order.priced.total,
    currency: CURRENCY,
    firstName,
    lastName,
    email,
    locale: order.request.locale,
    attention: null,
    supersededBy: null,
    paidAttemptId: null,
    createdAt: at,
    updatedAt: at,
    paidAt: null,
  };
  const lines = freezeLines(order.priced, order.request.locale);
  await insertOrder(queries, row, lines);
  if (order.earlier) await supersede(queries, order.earlier.id, { successor: row, at });
  const placed = { orderId: id, at, kind: 'placed', detail: { total: row.total } };
  const intent = { order: row, kind: order.kind, ordinal: 1, before: [placed] };
  const claim = await makeAttempt(queries, services, intent);
  return { kind: 'placed', order: row, claim: { ...claim, lines } };
}

/**
 * Ends the order that a changed cart replaces. The two are linked, so that money for both is noticed; not when the
 * older goods are paid already, for then the cart was emptied of them and the new order is for other goods.
 */
async function supersede(
  queries: Queries,
  orderId: string,
  {
    successor,
    at,
  }: { readonly successor: { readonly id: string; readonly number: string }; readonly at: number },
): Promise<void> {
  const order = await lockOrder(queries, orderId);
  if (order.state === 'paid') return;
  const linked = !(await isPaidElsewhere(queries, order));
  const patch = linked ? { supersededBy: successor.id } : {};
  if (linked) await repointSuccessor(queries, orderId, successor.id);
  if (order.state !== 'created' && order.state !== 'pending') {
    await patchOrder(queries, order, { at, patch });
    return;
  }
  for (const attempt of await findAttempts(queries, orderId)) {
    if (attempt.live === 1) await putAttempt(queries, attempt.id, { state: 'superseded', at });
  }
  await moveOrder(queries, order, { to: 'cancelled', at, patch });
  await recordEvent(queries, { orderId, at, kind: 'superseded', detail: { by: successor.number } });
}
