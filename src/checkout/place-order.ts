import { type Attempt, findAttempts, isOffered } from '../db/attempts.js';
import {
  findCart,
  incrementCartVersion,
  lockCart,
  lockProductsOfCart,
  putCartLine,
  removeCartLines,
} from '../db/carts.js';
import type { Queries, Transaction } from '../db/connection/database.js';
import { lockLatestOrderOfCart, type Order } from '../db/orders.js';
import { type Cart, isChanged, type PricedCart, priceCart } from '../domain/cart.js';
import { type Offer, offersFor } from '../domain/charges.js';
import { readState } from '../domain/contact.js';
import type { Centavos } from '../domain/money.js';
import type { CheckoutContext } from './context.js';
import { isOwnOrder } from './order-ownership.js';
import type { CartToPlace, CheckoutRequest, CheckoutResult, Placement, Submitted } from './placement.js';
import { isSuperseded, mayAbandon, mayBePaid, startAttempt } from './start-attempt.js';
import { writeOrder } from './write-order.js';

/**
 * Creates an order from the cart: frozen lines, total, contact, reservation and the first attempt. The caller commits them
 * before it calls the gateway. One cart version creates at most one order, also with concurrent calls. Another e-mail
 * address or shipping option creates a new order, as a changed cart does. Otherwise the customer pays the existing order:
 * in its open checkout session, or with a new attempt. `settled`: the order that the caller settled before, if any.
 * `paying`: the order that an earlier call of the same request was about to pay. No other order takes its place.
 *
 * Throws `ShopError` `gateway_unavailable` if an earlier attempt could not be looked up, and `too_many_attempts` for too many
 * reservations.
 */
export async function placeOrder(
  queries: Transaction,
  context: CheckoutContext,
  { cartId, ...submitted }: Submitted & { readonly cartId: string },
): Promise<Placement> {
  // For the lock order see db/stock.ts.
  const at = context.clock.now();
  await lockCart(queries, cartId);
  const earlier = await lockLatestOrderOfCart(queries, cartId);
  await lockProductsOfCart(queries, cartId);
  const cart = await findCart(queries, cartId, at);
  if (!cart) return { kind: 'cart_empty' };
  const attempts = earlier ? await findAttempts(queries, earlier.id) : [];
  const input = { ...submitted, cart, priced: priceCart(cart), earlier, attempts, at };
  return input.priced.lines.length === 0 ? placeEmptyCart(queries, input) : placeFilledCart(queries, context, input);
}

/** Returns the result for a cart without lines that can be bought: it was paid, emptied or sold out. */
async function placeEmptyCart(queries: Queries, input: CartToPlace): Promise<Placement> {
  const { priced, earlier } = input;
  // No attempt can start for an empty cart, so superseded ones need no lookup.
  if (earlier && mustSettleFirst(earlier, [], input))
    return { kind: 'settle_first', order: earlier, isCartChanged: true };
  if (priced.shortages.length > 0 && !(earlier && mayBePaid(earlier))) {
    await updateCart(queries, input);
    return { kind: 'cart_changed', cart: priced };
  }
  return earlier ? { kind: 'order', order: earlier } : { kind: 'cart_empty' };
}

/** Places a cart with lines: pays the order of this cart version, or writes a new order. */
async function placeFilledCart(queries: Transaction, context: CheckoutContext, input: CartToPlace): Promise<Placement> {
  const { priced, request, earlier, attempts, paying } = input;
  const cart = await updateCart(queries, input);
  const existing = earlier?.cartVersion === cart.version ? earlier : undefined;
  if (paying && existing?.id !== paying.id) return { kind: 'order', order: paying };
  const offer = offerFor(priced, request);
  if ('kind' in offer) return offer;
  if (existing && isForeign(existing, input)) return { kind: 'order', order: existing };
  if (existing && mayReuse(existing, request, offer.total)) return startAttempt(queries, context, existing, input);
  // The same cart with another e-mail or shipping option is a new version of the cart.
  const nextCart = existing ? { ...cart, version: cart.version + 1 } : cart;
  if (earlier && mustSettleFirst(earlier, attempts, { ...input, cart: nextCart }))
    return { kind: 'settle_first', order: earlier, isCartChanged: true };
  const objection = earlier && objectionToReplace(context, earlier, input, existing !== undefined);
  if (objection) return objection;
  if (existing) await incrementCartVersion(queries, cart.id, input.at);
  return writeOrder(queries, context, { ...input, cart: nextCart }, offer);
}

/** Returns the chosen shipping option with the order total, or what the customer must confirm again. */
function offerFor(
  priced: PricedCart,
  { contact, choice, seenTotal }: CheckoutRequest,
): Offer | Extract<CheckoutResult, { kind: 'cart_changed' }> {
  const offers = offersFor(priced, choice, readState(contact.deliveryState));
  const offer = offers.find(({ id }) => id === choice.shippingOption);
  const total = (offer ?? (offers.length === 1 ? offers[0] : undefined))?.total;
  // A form without a total is accepted for an unchanged cart whose shipping options all have the same total.
  const isSeen =
    seenTotal === undefined
      ? offers.every((other) => other.total === total) && !isChanged(priced)
      : seenTotal === String(total);
  return offer && isSeen ? offer : { kind: 'cart_changed', cart: priced, total };
}

/**
 * An earlier order of the cart is settled first if it may be paid by now: on a page in another tab, or through a
 * superseded attempt.
 */
function mustSettleFirst(
  earlier: Order,
  attempts: readonly Attempt[],
  { cart, settled }: Pick<CartToPlace, 'cart' | 'settled'>,
): boolean {
  if (earlier.id === settled?.order.id || earlier.cartVersion === cart.version) return false;
  const needsNoLookup = earlier.state === 'paid' || mayBePaid(earlier);
  return earlier.state === 'pending' || (!needsNoLookup && attempts.some(isSuperseded));
}

/** Writes current prices and quantities to the cart, and removes products that cannot be bought. */
async function updateCart(
  queries: Queries,
  { cart, priced, at }: Pick<CartToPlace, 'cart' | 'priced' | 'at'>,
): Promise<Cart> {
  if (!isChanged(priced)) return cart;
  const { id: cartId } = cart;
  for (const { product, quantity } of priced.lines)
    await putCartLine(queries, { cartId, productId: product.id, quantity, seenPrice: product.price, at });
  const soldOut = priced.shortages.filter(({ left }) => left === 0);
  await removeCartLines(queries, cartId, [
    ...priced.withdrawn.map(({ productId }) => productId),
    ...soldOut.map(({ product }) => product.id),
  ]);
  await incrementCartVersion(queries, cartId, at);
  return { ...cart, version: cart.version + 1 };
}

/** Returns whether the order of this cart version stays valid: same total, shipping option and e-mail address. */
function mayReuse(order: Order, request: CheckoutRequest, total: Centavos): boolean {
  if (order.state === 'paid') return true;
  const isSameSale = order.total === total && order.shippingOption === request.choice.shippingOption;
  return isSameSale && order.email === request.contact.email;
}

/**
 * Returns what the customer gets instead of a new order, if the earlier one needs review, has a card payment that was not
 * abandoned and may succeed, or has an open hosted page for the same cart and the warning was not confirmed.
 */
function objectionToReplace(
  { policy }: CheckoutContext,
  earlier: Order,
  input: CartToPlace,
  isSameCart: boolean,
): CheckoutResult | undefined {
  const { flow, request, attempts, at } = input;
  const live = attempts.find((attempt) => attempt.live === 1 && attempt.flow === 'card');
  const isAtBank = live?.environment === policy.environment && !mayAbandon(live, input);
  if (mayBePaid(earlier) || isAtBank) return { kind: 'order', order: earlier };
  const isPageOpen = flow === 'card' && attempts.some((attempt) => isOffered(attempt, at));
  return isSameCart && isPageOpen && request.payAgain !== true ? { kind: 'confirm_pay_again' } : undefined;
}

/**
 * Returns whether another customer of a shared cart placed the order. Not if no customer was redirected to it yet: it is
 * `created` and has no live attempt. Not if it was erased, because then it has no owner.
 */
function isForeign(order: Order, { request, attempts }: CartToPlace): boolean {
  const isUnstarted = order.state === 'created' && !attempts.some(({ live }) => live === 1);
  return order.email !== '' && !isUnstarted && !isOwnOrder(order, request);
}
