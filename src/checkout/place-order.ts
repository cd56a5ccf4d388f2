/** From a cart to its order. */
import { type Attempt, findAttempts, isOffered } from '../db/attempts.js';
import { findCart, incrementCartVersion, lockCart, lockProductsOfCart } from '../db/carts.js';
import type { Queries, Transaction } from '../db/connection/database.js';
import {
  endLinksOfCart,
  findOrderLines,
  findUncertainOrders,
  insertOrder,
  isPaidByOtherOrder,
  lockLatestOrderOfCart,
  type Order,
  updateSuccessor,
} from '../db/orders.js';
import { handOverReservations } from '../db/stock.js';
import { type Cart, freezeLines, isChanged, type OrderLine, type PricedCart, priceCart } from '../domain/cart.js';
import { type Charge, type ChargeId, type Choice, isCharge, type Quote, quotesFor } from '../domain/charges.js';
import { type Contact, readState } from '../domain/contact.js';
import {
  ID_BYTES,
  ORDER_NUMBER_BYTES,
  ORDER_TOKEN_BYTES,
  orderNumber,
  orderToken,
  timeOrderedId,
} from '../domain/ids.js';
import type { Locale } from '../domain/locale.js';
import { type Centavos, CURRENCY } from '../domain/money.js';
import { isUncertain, type PaymentFlow } from '../domain/order.js';
import type { Product } from '../domain/product.js';
import { ShopError } from '../domain/shop-error.js';
import type { ClientKeys } from '../domain/stock.js';
import { applyTransition } from './apply-transition.js';
import { acceptChanges } from './change-cart.js';
import type { CheckoutContext } from './context.js';
import { abandonmentOf, isAbandoned } from './decide-start.js';
import { hasNoAnswer } from './lookups.js';
import { contactHashOf, isForeignOrder } from './order-ownership.js';
import { limitedPieces, setAside } from './reserve-stock.js';
import { type Settled, settlePayment } from './settle-payment.js';
import {
  isDelay,
  type LeasedAttempt,
  type LockedOrder,
  type StartResult,
  startAttempt,
  tryStart,
} from './start-attempt.js';

/** A submitted checkout form and its customer. */
export interface CheckoutRequest {
  readonly cartId: string | undefined;
  readonly contact: Contact;
  readonly choice: Choice;
  /** Returns the name of a chosen charge in the customer's locale. */
  nameOfCharge(id: ChargeId): string;
  readonly locale: Locale;
  /** Absent: what the client may set aside is not limited. */
  readonly client?: ClientKeys | undefined;
  /** Ownership marks of orders that the customer's session placed. */
  readonly ownershipMarks: readonly string[];
  /** The total on the submitted page, in centavos; absent if the page sent none. */
  readonly seenTotal?: string;
  /** The customer was warned that an earlier attempt may still be charged, and chose to pay again. */
  readonly payAgain?: boolean;
}

interface ChangedCart {
  /**
   * Products, quantities, prices or shipping options differ from the page that the customer saw. The customer must confirm
   * the cart again. `total` is absent if the customer must choose another option, or nothing is left.
   */
  readonly kind: 'cart_changed';
  readonly cart: PricedCart;
  readonly total?: Centavos | undefined;
}

/** An earlier payment of these products is in review. The others can be bought. */
interface InReview {
  readonly kind: 'in_review';
  readonly cart: PricedCart;
  readonly products: readonly Product[];
}

/** As {@link StartResult}, or the cart or the form. */
export type PlaceResult =
  | Exclude<StartResult, { readonly kind: 'sold_out' }>
  | ChangedCart
  | InReview
  | { readonly kind: 'cart_empty' };

/** Where the customer is sent. */
export type CheckoutResult = Exclude<PlaceResult, LeasedAttempt>;

/** A priced cart that is locked with its products, and its latest order. */
interface CartToPlace {
  readonly request: CheckoutRequest;
  readonly flow: PaymentFlow;
  readonly settled: Settled | undefined;
  readonly cart: Cart;
  readonly priced: PricedCart;
  /** Locked. A new order replaces it. */
  readonly earlier: Order | undefined;
  /** The attempts of the latest order. */
  readonly attempts: readonly Attempt[];
  readonly at: number;
}

type Placement =
  | (LockedOrder & { readonly kind: 'placed' })
  | PlaceResult
  /** The caller must settle this order, which a new one will replace, and place the cart again. */
  | { readonly kind: 'settle_earlier'; readonly order: Order };

/**
 * Creates an order from a cart, with frozen lines, total, contact and reservation, and leases its first attempt in the same
 * transaction. One cart version creates at most one order, also with concurrent calls. Another e-mail address or shipping
 * option creates a new order, as a changed cart does. Otherwise the customer pays the existing order. `settled`: the
 * earlier order of the cart, if this request has looked up its payments.
 * Throws as {@link startAttempt}.
 */
export async function placeOrder(
  context: CheckoutContext,
  request: CheckoutRequest,
  flow: PaymentFlow,
  settled?: Settled,
): Promise<PlaceResult> {
  const { cartId, contact, client, payAgain = false } = request;
  if (!cartId) return { kind: 'cart_empty' };
  const start = { flow, payAgain, contact, passed: { client } };
  const step = await context.db.transaction(async (queries) => {
    const input = await readCart(queries, cartId, { request, flow, settled, at: context.clock.now() });
    if (!input) return { kind: 'cart_empty' } as const;
    const placed = await placeCart(queries, context, input);
    return placed.kind === 'placed' ? tryStart(queries, context, placed, start) : placed;
  });
  if (step.kind === 'settle_earlier')
    return placeOrder(context, request, flow, await settleEarlier(context, step.order));
  const started = isDelay(step) ? await startAttempt(context, step.order, start, step) : step;
  // The cart shows what is left.
  return started.kind === 'sold_out' ? placeOrder(context, request, flow) : started;
}

/** Throws if the order that a new one would replace may be paid, and its lookup has no answer. */
async function settleEarlier(context: CheckoutContext, earlier: Order): Promise<Settled> {
  const settled = await settlePayment(context, earlier.id, 'checkout');
  if ([...settled.lookups.values()].some(hasNoAnswer)) throw new ShopError('gateway_unavailable');
  return settled;
}

async function readCart(
  queries: Queries,
  cartId: string,
  input: Pick<CartToPlace, 'request' | 'flow' | 'settled' | 'at'>,
): Promise<CartToPlace | undefined> {
  // For the lock order see db/stock.ts.
  await lockCart(queries, cartId);
  const earlier = await lockLatestOrderOfCart(queries, cartId);
  await lockProductsOfCart(queries, cartId);
  const cart = await findCart(queries, cartId, input.at);
  const attempts = earlier ? await findAttempts(queries, earlier.id) : [];
  return cart && { ...input, cart, priced: priceCart(cart), earlier, attempts };
}

async function placeCart(queries: Transaction, context: CheckoutContext, input: CartToPlace): Promise<Placement> {
  const { priced, request, earlier, attempts, at } = input;
  if (priced.lines.length === 0) return placeEmptyCart(queries, input);
  const cart = await acceptChanges(queries, input.cart, priced, at);
  const existing = earlier?.cartVersion === cart.version ? earlier : undefined;
  const quoted = quoteFor(priced, request);
  if (quoted.kind === 'cart_changed') return quoted;
  const { quote } = quoted;
  if (existing && isForeignOrder(existing, attempts, request)) return { kind: 'show_order', order: existing };
  const uncertain = earlier && (await objectionOfUncertain(queries, input));
  if (uncertain) return uncertain;
  if (existing && (await mayReuse(queries, existing, input, quote)))
    return { kind: 'placed', order: existing, attempts };
  if (earlier && mustSettle(earlier, attempts, input)) return { kind: 'settle_earlier', order: earlier };
  const objection = earlier && objectionToReplace(context, earlier, input, existing !== undefined);
  if (objection) return objection;
  // The same cart with another e-mail or shipping option is a new version of the cart.
  if (existing) await incrementCartVersion(queries, cart.id, at);
  const version = existing ? cart.version + 1 : cart.version;
  return writeOrder(queries, context, { ...input, cart: { ...cart, version } }, quote);
}

/** Returns the result for a cart without lines that can be bought: it was paid, emptied or sold out. */
async function placeEmptyCart(queries: Queries, input: CartToPlace): Promise<Placement> {
  const { cart, priced, earlier, at } = input;
  // No attempt can start for an empty cart, so superseded ones need no lookup.
  if (earlier && earlier.cartVersion !== cart.version && mustSettle(earlier, [], input))
    return { kind: 'settle_earlier', order: earlier };
  if (isChanged(priced) && !(earlier && isUncertain(earlier.state))) {
    await acceptChanges(queries, cart, priced, at);
    return { kind: 'cart_changed', cart: priced };
  }
  return earlier ? { kind: 'show_order', order: earlier } : { kind: 'cart_empty' };
}

/** Returns the chosen shipping option with the order total, or what the customer must confirm again. */
function quoteFor(
  priced: PricedCart,
  { contact, choice, seenTotal }: CheckoutRequest,
): { readonly kind: 'quoted'; readonly quote: Quote } | ChangedCart {
  const quotes = quotesFor(priced, choice, readState(contact.deliveryState));
  const quote = quotes.find(({ id }) => id === choice.shippingOption);
  const total = (quote ?? (quotes.length === 1 ? quotes[0] : undefined))?.total;
  // A form without a total is accepted for an unchanged cart whose shipping options all have the same total.
  const isSeen =
    seenTotal === undefined
      ? quotes.every((other) => other.total === total) && !isChanged(priced)
      : seenTotal === String(total);
  return quote && isSeen ? { kind: 'quoted', quote } : { kind: 'cart_changed', cart: priced, total };
}

/** Returns whether the order of this cart version stays valid: payable, same total, shipping option, charges and e-mail address. */
async function mayReuse(queries: Queries, order: Order, { request, at }: CartToPlace, quote: Quote): Promise<boolean> {
  if (order.state === 'paid') return true;
  if (order.payableUntil === null || at >= order.payableUntil) return false;
  if (order.total !== quote.total || order.shippingOption !== quote.id || order.email !== request.contact.email)
    return false;
  const lines = (await findOrderLines(queries, order.id)).filter(({ productId }) => isCharge(productId));
  const charges = quote.charges.filter(({ unitPrice }) => unitPrice > 0);
  const isSame = (line: OrderLine, charge?: Charge) =>
    charge?.productId === line.productId && charge.unitPrice === line.unitPrice;
  return lines.length === charges.length && lines.every((line, place) => isSame(line, charges[place]));
}

/** Returns whether the earlier order may be paid by now: on a page in another tab, or through a superseded attempt. */
function mustSettle({ id, state }: Order, attempts: readonly Attempt[], { settled }: CartToPlace): boolean {
  if (id === settled?.order.id || state === 'paid' || isUncertain(state)) return false;
  return state === 'pending' || attempts.some((attempt) => attempt.state === 'superseded');
}

/**
 * Returns what the customer gets instead of a payment for products that an uncertain order of the cart has. An uncertain
 * order that another one replaced is linked to the orders after it, so it blocks them all. The customer sees that order, also
 * if nothing else is in the cart.
 */
async function objectionOfUncertain(queries: Queries, { cart, priced }: CartToPlace): Promise<PlaceResult | undefined> {
  const uncertain = await findUncertainOrders(queries, cart.id);
  const blocked = new Set(uncertain.flatMap(({ lines }) => lines.map(({ productId }) => productId)));
  const products = priced.lines.map(({ product }) => product).filter(({ id }) => blocked.has(id));
  const linked = uncertain.find(({ order }) => order.supersededBy !== null);
  const shown = linked ?? (products.length === priced.lines.length ? uncertain[0] : undefined);
  if (shown) return { kind: 'show_order', order: shown.order };
  return products.length > 0 ? { kind: 'in_review', cart: priced, products } : undefined;
}

/**
 * Returns what the customer gets instead of a new order, if the earlier one has a card payment that was not abandoned and
 * may succeed, or has an open hosted page for the same cart and the warning was not confirmed.
 */
function objectionToReplace(
  { config }: CheckoutContext,
  earlier: Order,
  { flow, request: { payAgain = false }, settled, attempts, at }: CartToPlace,
  isSameCart: boolean,
): PlaceResult | undefined {
  const live = attempts.find((attempt) => attempt.live === 1 && attempt.flow === 'card');
  const isAtBank = live?.environment === config.environment;
  const mayAbandon =
    payAgain && live && settled?.lookups.get(live.id) === 'answered' && isAbandoned(live, attempts, at);
  if (isAtBank && !mayAbandon) return { kind: 'show_order', order: earlier };
  const isPageOpen = flow === 'card' && attempts.some((attempt) => isOffered(attempt, at));
  return isSameCart && isPageOpen && !payAgain ? { kind: 'confirm_pay_again' } : undefined;
}

/** The columns of a new order that a payment changes. */
const UNPAID = {
  state: 'created',
  version: 1,
  currency: CURRENCY,
  reviewReason: null,
  supersededBy: null,
  paidAttemptId: null,
  paidAt: null,
  confirmedAt: null,
} as const;

/** What a new order freezes. */
export interface NewOrder extends Pick<CheckoutRequest, 'contact' | 'nameOfCharge' | 'locale' | 'client'> {
  readonly id: string;
  readonly cart: Pick<Cart, 'id' | 'version'>;
  readonly priced: PricedCart;
  readonly quote: Quote;
  readonly payableUntil: number;
  /** When the pieces that are set aside are free again. Absent: 2 min after an offer that starts now. */
  readonly reservedUntil?: number | undefined;
  /** Internal note. */
  readonly note?: string;
  readonly at: number;
}

/** Inserts an unpaid order with its lines and its reservation. The products must be locked, and enough of them left. */
export async function insertUnpaidOrder(queries: Transaction, context: CheckoutContext, input: NewOrder) {
  const { id, cart, priced, quote, contact, locale, payableUntil, reservedUntil, client, note = '', at } = input;
  const charges = quote.charges.map((charge) => ({ ...charge, name: input.nameOfCharge(charge.productId) }));
  const lines = freezeLines(priced, locale, charges);
  const order = {
    ...UNPAID,
    id,
    number: orderNumber(context.config.orderPrefix, context.random(ORDER_NUMBER_BYTES)),
    token: orderToken(context.random(ORDER_TOKEN_BYTES)),
    cartId: cart.id,
    cartVersion: cart.version,
    total: quote.total,
    ...contact,
    shippingOption: quote.id,
    contactHash: contactHashOf(id, contact),
    locale,
    note,
    payableUntil,
    createdAt: at,
    updatedAt: at,
  };
  await insertOrder(queries, order, lines);
  await setAside(queries, context, order, { pieces: limitedPieces(priced.lines), client, until: reservedUntil });
  queries.onCommit(() => context.log.info('order.placed', { order: order.number }));
  return { order, lines };
}

/** Inserts the order and its reservation, and ends the earlier order. */
async function writeOrder(
  queries: Transaction,
  context: CheckoutContext,
  input: CartToPlace,
  quote: Quote,
): Promise<Placement> {
  const { request, earlier, at } = input;
  const id = timeOrderedId(at, context.random(ID_BYTES));
  const payableUntil = at + context.config.orderPayableMs;
  const { order, lines } = await insertUnpaidOrder(queries, context, { ...request, ...input, id, quote, payableUntil });
  if (earlier) await endLinksOfCart(queries, order.cartId, id);
  if (earlier && !isUncertain(earlier.state)) await replaceOrder(queries, context, { ...input, earlier }, order);
  const events = [{ orderId: id, at, kind: 'placed', detail: { total: order.total } }];
  return { kind: 'placed', order, attempts: [], written: { lines, events } };
}

/**
 * Ends the order that a changed cart replaces. The orders are linked, so that a payment of both is detected. They are not
 * linked if another order already paid for the earlier products. That payment emptied the cart, so the new order is for
 * other products.
 */
async function replaceOrder(
  queries: Transaction,
  context: CheckoutContext,
  { earlier, attempts, at }: CartToPlace & { readonly earlier: Order },
  successor: Order,
): Promise<void> {
  await handOverReservations(queries, successor, at);
  if (earlier.state === 'paid') return;
  const isLinked = !(await isPaidByOtherOrder(queries, earlier));
  if (isLinked) await updateSuccessor(queries, earlier.id, successor.id);
  const attempt = attempts.find(({ live }) => live === 1) ?? attempts.at(-1);
  await applyTransition(queries, context, {
    order: earlier,
    attempt,
    event: { type: 'order_replaced' },
    trigger: 'checkout',
    at,
    patch: attempt && abandonmentOf(attempt, context.config.environment, at),
    orderPatch: isLinked ? { supersededBy: successor.id } : undefined,
    history: { kind: 'superseded', detail: { replacedBy: successor.number } },
  });
}
