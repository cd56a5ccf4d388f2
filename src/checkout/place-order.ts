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
import { decidePlacing, type PlacingInput } from './decide-placing.js';
import { decideReplacement } from './decide-replacement.js';
import { abandonmentOf } from './decide-start.js';
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
  readonly quoted: Quoted;
  /** Locked. A new order replaces it. */
  readonly earlier: Order | undefined;
  /** The attempts and charges of the latest order. */
  readonly attempts: readonly Attempt[];
  readonly charges: readonly OrderLine[];
  /** The orders of the cart whose payment is in review or has an unknown outcome. */
  readonly uncertain: Awaited<ReturnType<typeof findUncertainOrders>>;
  readonly at: number;
}

interface Quoted {
  /** The chosen shipping option. */
  readonly quote: Quote | undefined;
  /** The total of it, or of all options. */
  readonly total: Centavos | undefined;
  /** The submitted page showed this total. */
  readonly isSeen: boolean;
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
  if (!cart) return undefined;
  const priced = priceCart(cart);
  const read = { ...input, cart, priced, quoted: quoteFor(priced, input.request) };
  if (!earlier) return { ...read, earlier, attempts: [], charges: [], uncertain: [] };
  const lines = await findOrderLines(queries, earlier.id);
  return {
    ...read,
    earlier,
    attempts: await findAttempts(queries, earlier.id),
    charges: lines.filter(({ productId }) => isCharge(productId)),
    uncertain: await findUncertainOrders(queries, cartId),
  };
}

/** Returns the chosen shipping option with the order total. */
function quoteFor(priced: PricedCart, { contact, choice, seenTotal }: CheckoutRequest): Quoted {
  const quotes = quotesFor(priced, choice, readState(contact.deliveryState));
  const quote = quotes.find(({ id }) => id === choice.shippingOption);
  const total = (quote ?? (quotes.length === 1 ? quotes[0] : undefined))?.total;
  // A form without a total is accepted for an unchanged cart whose shipping options all have the same total.
  const isSeen =
    seenTotal === undefined
      ? quotes.every((other) => other.total === total) && !isChanged(priced)
      : seenTotal === String(total);
  return { quote, total, isSeen };
}

async function placeCart(queries: Transaction, context: CheckoutContext, input: CartToPlace): Promise<Placement> {
  const { priced, quoted, earlier, attempts, uncertain, at } = input;
  const decision = decidePlacing(placingInputOf(input, context));
  const accepts = priced.lines.length > 0 || decision === 'cart_changed';
  const cart = accepts ? await acceptChanges(queries, input.cart, priced, at) : input.cart;
  const changed = { kind: 'cart_changed', cart: priced, total: quoted.total } as const;
  switch (decision) {
    case 'cart_empty':
    case 'confirm_pay_again':
      return { kind: decision };
    case 'cart_changed':
      return changed;
    case 'in_review':
      return { kind: decision, cart: priced, products: productsInReview(input) };
    case 'show_uncertain': {
      const shown = uncertain.find(({ order }) => order.supersededBy !== null) ?? uncertain[0];
      return shown ? { kind: 'show_order', order: shown.order } : changed;
    }
    case 'place':
      return quoted.quote ? writeOrder(queries, context, { ...input, cart }, quoted.quote) : changed;
    default:
      if (!earlier) return { kind: 'cart_empty' };
      if (decision === 'reuse') return { kind: 'placed', order: earlier, attempts };
      return { kind: decision === 'show_earlier' ? 'show_order' : decision, order: earlier };
  }
}

function placingInputOf(input: CartToPlace, { config }: CheckoutContext): PlacingInput {
  const { cart, priced, quoted, request, flow, earlier, attempts, settled, at } = input;
  const { payAgain = false } = request;
  const hasLines = priced.lines.length > 0;
  const lookups = settled?.order.id === earlier?.id ? settled?.lookups : undefined;
  return {
    hasLines,
    isChanged: isChanged(priced),
    isConfirmed: quoted.quote !== undefined && quoted.isSeen,
    uncertain: uncertaintyOf(input),
    earlier: earlier && {
      isOfThisVersion: earlier.cartVersion === cart.version,
      isForeign: isForeignOrder(earlier, attempts, request),
      mayReuse: mayReuse(earlier, input),
      isUncertain: isUncertain(earlier.state),
      hasOpenPage: attempts.some((attempt) => isOffered(attempt, at)),
      replacement: decideReplacement({
        state: earlier.state,
        // No attempt can start for an empty cart, so superseded ones need no lookup.
        attempts: hasLines ? attempts : [],
        lookups,
        payAgain,
        environment: config.environment,
        at,
      }),
    },
    flow,
    payAgain,
  };
}

/** An uncertain order that another one replaced is linked to the orders after it, so it blocks them all. */
function uncertaintyOf(input: CartToPlace): PlacingInput['uncertain'] {
  if (input.uncertain.some(({ order }) => order.supersededBy !== null)) return 'linked';
  const blocked = productsInReview(input).length;
  if (blocked === 0) return 'none';
  return blocked === input.priced.lines.length ? 'all' : 'some';
}

/** Returns the products of the cart that an uncertain order of it has. */
function productsInReview({ priced, uncertain }: CartToPlace): readonly Product[] {
  const blocked = new Set(uncertain.flatMap(({ lines }) => lines.map(({ productId }) => productId)));
  return priced.lines.map(({ product }) => product).filter(({ id }) => blocked.has(id));
}

/** Returns whether the latest order stays valid: payable, same total, shipping option, charges and e-mail address. */
function mayReuse(order: Order, { request, quoted: { quote }, charges: lines, at }: CartToPlace): boolean {
  if (order.state === 'paid') return true;
  if (order.payableUntil === null || at >= order.payableUntil) return false;
  if (order.total !== quote?.total || order.shippingOption !== quote.id || order.email !== request.contact.email)
    return false;
  const charges = quote.charges.filter(({ unitPrice }) => unitPrice > 0);
  const isSame = (line: OrderLine, charge?: Charge) =>
    charge?.productId === line.productId && charge.unitPrice === line.unitPrice;
  return lines.length === charges.length && lines.every((line, place) => isSame(line, charges[place]));
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
  const { request, cart, earlier, at } = input;
  const id = timeOrderedId(at, context.random(ID_BYTES));
  // The same cart with another e-mail or shipping option is a new version of the cart.
  const isExisting = earlier?.cartVersion === cart.version;
  if (isExisting) await incrementCartVersion(queries, cart.id, at);
  const version = isExisting ? cart.version + 1 : cart.version;
  const payableUntil = at + context.config.orderPayableMs;
  const { order, lines } = await insertUnpaidOrder(queries, context, {
    ...request,
    ...input,
    cart: { ...cart, version },
    id,
    quote,
    payableUntil,
  });
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
