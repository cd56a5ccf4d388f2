import { type Attempt, findAttempts } from '../db/attempts.js';
import {
  findCart,
  incrementCartVersion,
  lockCart,
  lockProductsOfCart,
  putCartLine,
  removeCartLines,
} from '../db/carts.js';
import type { Queries } from '../db/database.js';
import { lockLatestOrderOfCart, type Order, patchOrder, recordEvent } from '../db/orders.js';
import { type Cart, isChanged, type PricedCart, priceCart } from '../domain/cart.js';
import { readState } from '../domain/contact.js';
import { type Centavos, sum } from '../domain/money.js';
import type { PaymentFlow } from '../domain/order.js';
import { shippingOptions } from '../domain/shipping.js';
import { ShopError } from '../domain/shop-error.js';
import type { CheckoutContext } from './context.js';
import { contactHashOf, isOwnOrder, isSameContact } from './order-ownership.js';
import { settlePayment } from './settle-payment.js';
import { isAbandoned } from './stale-attempts.js';
import {
  type LeasedAttempt,
  type NewOrder,
  type Offer,
  type OrderInput,
  reserveCart,
  writeOrder,
} from './write-order.js';

export interface CheckoutRequest extends OrderInput {
  readonly cartId: string | undefined;
  /** Ownership marks of orders that the customer's session placed. */
  readonly ownershipMarks: readonly string[];
  /** The total on the submitted page, in centavos; absent if the page sent none. */
  readonly seenTotal?: string;
  /** The customer was warned and chose to abandon a 3D Secure page. */
  readonly replaceAbandoned?: boolean;
}

export type Placement =
  /** A new order with its first attempt. */
  | LeasedAttempt
  /** The order of this cart version exists and may be paid. */
  | { readonly kind: 'reused'; readonly order: Order }
  /** The customer is sent to an earlier order of this cart. */
  | { readonly kind: 'order'; readonly order: Order }
  /**
   * Products, quantities, prices or shipping options differ from the page that the customer saw. The customer must confirm
   * the cart again. `total` is absent if the customer must choose another option.
   */
  | { readonly kind: 'cart_changed'; readonly cart: PricedCart; readonly total?: Centavos }
  | { readonly kind: 'cart_empty' };

/**
 * Creates an order from the cart: frozen lines, total, contact, reservation and the first attempt, all committed before the
 * gateway is called. One cart version creates at most one order, also with concurrent calls. Another e-mail address or
 * another shipping option creates a new order, as a changed cart does. Throws `ShopError` `gateway_unavailable` if an
 * earlier order cannot be looked up, and `too_many_attempts` for too many reservations.
 */
export async function placeOrder(
  context: CheckoutContext,
  request: CheckoutRequest,
  flow: PaymentFlow,
): Promise<Placement> {
  const { cartId } = request;
  if (!cartId) return { kind: 'cart_empty' };
  const input = { cartId, request, flow };
  let result = await placeInTransaction(context, input);
  if (result.kind === 'settle_first') {
    const { lookups } = await settlePayment(context, result.order.id, 'checkout');
    if ([...lookups.values()].includes('unreachable')) throw new ShopError('gateway_unavailable');
    result = await placeInTransaction(context, { ...input, settled: result.order.id });
  }
  // Another request placed an order meanwhile. The customer is sent to that order.
  if (result.kind === 'settle_first') return { kind: 'order', order: result.order };
  if (result.kind === 'leased') {
    const { order, attempt } = result;
    context.log.info('order.placed', { order: order.number });
    context.observer.attemptChanged(attempt.flow, attempt.state);
  }
  return result;
}

interface PlaceInput {
  readonly cartId: string;
  readonly request: CheckoutRequest;
  readonly flow: PaymentFlow;
  /** Id of the earlier order that was just settled. */
  readonly settled?: string;
}

type PlaceResult = Placement | { readonly kind: 'settle_first'; readonly order: Order };

function placeInTransaction(context: CheckoutContext, input: PlaceInput): Promise<PlaceResult> {
  return context.db.transaction(async (queries): Promise<PlaceResult> => {
    // For the lock order see db/stock.ts.
    const at = context.clock.now();
    await lockCart(queries, input.cartId);
    const earlier = await lockLatestOrderOfCart(queries, input.cartId);
    await lockProductsOfCart(queries, input.cartId);
    const cart = await findCart(queries, input.cartId, at);
    if (!cart) return { kind: 'cart_empty' };
    const priced = priceCart(cart);
    if (priced.lines.length > 0)
      return placeFilledCart(queries, context, { ...input, cart, priced, earlier, at });
    if (earlier && mustSettleFirst(earlier, cart, input)) return { kind: 'settle_first', order: earlier };
    if (priced.shortages.length > 0 && !(earlier && isUnresolved(earlier))) {
      await refreshPrices(queries, { cart, priced, at });
      return { kind: 'cart_changed', cart: priced };
    }
    return earlier ? { kind: 'order', order: earlier } : { kind: 'cart_empty' };
  });
}

/** A priced cart with locked products. */
type CartToPlace = PlaceInput & Omit<NewOrder, 'offer'>;

/** Places a cart with lines: reuses the order of this cart version, or writes a new order. */
async function placeFilledCart(
  queries: Queries,
  context: CheckoutContext,
  input: CartToPlace,
): Promise<PlaceResult> {
  const { priced, request, earlier } = input;
  const cart = await refreshPrices(queries, input);
  const options = shippingOptions(priced.lines, priced.total, readState(request.contact.deliveryState));
  const offers = options.map((option) => ({ ...option, total: sum([priced.total, option.price]) }));
  const offer = offers.find(({ id }) => id === request.shipping.option);
  const onlyOffer = offers.length === 1 ? offers[0] : undefined;
  if (!offer) return { kind: 'cart_changed', cart: priced, total: onlyOffer?.total };
  const { total } = offer;
  if (differsFromSeen(priced, offers, total, request.seenTotal))
    return { kind: 'cart_changed', cart: priced, total };
  const attempts = earlier ? await findAttempts(queries, earlier.id) : [];
  const same = earlier?.cartVersion === cart.version ? earlier : undefined;
  if (same && !isOwnOrder(same, request) && !isUnstarted(same, attempts))
    return { kind: 'order', order: same };
  if (same && mayReuse(same, request, total)) return reuseOrder(queries, context, same, input);
  // The same cart with another e-mail or shipping option is a new version of the cart.
  const next = same ? { ...cart, version: cart.version + 1 } : cart;
  if (earlier && mustSettleFirst(earlier, next, input)) return { kind: 'settle_first', order: earlier };
  if (earlier && !mayReplace(context, earlier, attempts, input)) return { kind: 'order', order: earlier };
  if (same) await incrementCartVersion(queries, cart.id, input.at);
  return writeOrder(queries, context, { ...input, cart: next, offer });
}

/** An earlier pending order of the cart may be paid in another tab, so it is settled first. */
function mustSettleFirst(earlier: Order, cart: Cart, { settled }: PlaceInput): boolean {
  return earlier.id !== settled && earlier.state === 'pending' && earlier.cartVersion !== cart.version;
}

async function refreshPrices(
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

/** A form without a total is accepted if all shipping options have the same total. */
function differsFromSeen(
  priced: PricedCart,
  offers: readonly Offer[],
  total: Centavos,
  seenTotal: string | undefined,
): boolean {
  if (seenTotal !== undefined) return seenTotal !== String(total);
  return offers.some((offer) => offer.total !== total) || isChanged(priced);
}

/** Returns whether the order of this cart version stays valid: the customer pays the same total in the same way. */
function mayReuse(order: Order, request: CheckoutRequest, total: Centavos): boolean {
  if (order.state === 'paid') return true;
  const isSameSale = order.total === total && order.shippingOption === request.shipping.option;
  return isSameSale && order.email === request.contact.email;
}

/** Renews the reservation of the order. Stores a corrected name and address; all else of an order never changes. */
async function reuseOrder(
  queries: Queries,
  context: CheckoutContext,
  order: Order,
  { request, priced, at }: CartToPlace,
): Promise<Placement> {
  const { contact, addressKey } = request;
  if (order.state === 'paid') return { kind: 'reused', order };
  // An order whose payment may have succeeded keeps its reservation until its time.
  if (!isUnresolved(order)) await reserveCart(queries, context, { order, priced, addressKey, at });
  if (isSameContact(order, contact)) return { kind: 'reused', order };
  const patch = { ...contact, contactHash: contactHashOf(order.id, contact) };
  const corrected = await patchOrder(queries, order, { at, patch });
  await recordEvent(queries, { orderId: order.id, at, kind: 'contact_corrected', detail: {} });
  return { kind: 'reused', order: corrected };
}

/** Returns whether no customer was redirected to the order yet: it is `created` and has no live attempt. */
function isUnstarted({ state }: Order, attempts: readonly Attempt[]): boolean {
  return state === 'created' && !attempts.some(({ live }) => live === 1);
}

function isUnresolved({ state }: Order): boolean {
  return state === 'outcome_unknown' || state === 'review';
}

/** Returns false if the earlier order has a card payment that may still succeed, or needs review. */
function mayReplace(
  { policy, clock }: CheckoutContext,
  earlier: Order,
  attempts: readonly Attempt[],
  { request, settled }: PlaceInput,
): boolean {
  if (isUnresolved(earlier)) return false;
  const live = attempts.find((attempt) => attempt.live === 1 && attempt.flow === 'card');
  if (!live || live.environment !== policy.environment) return true;
  const wasAsked = request.replaceAbandoned === true && settled === earlier.id;
  return wasAsked && isAbandoned(live, attempts, clock.now());
}
