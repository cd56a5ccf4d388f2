/** From a cart to its order, and to the payment of the order. */

import type { Started, StartOptions, Verified } from '@tianguis/payments';
import { recordEvent } from '@tianguis/payments/back-office';
import {
  type Centavos,
  hasNoAnswer,
  ID_BYTES,
  isUncertain,
  PaymentError,
  type PaymentFlow,
  timeOrderedId,
} from '@tianguis/payments/rules';
import { incrementCartVersion } from '../tables/carts.js';
import type { Transaction } from '../tables/database.js';
import { endLinksOfCart, type Order } from '../tables/orders.js';
import { handOverReservations } from '../tables/stock.js';
import { acceptChanges } from './change-cart.js';
import type { CheckoutContext } from './checkout-context.js';
import { decidePlacing } from './decide-placing.js';
import { insertUnpaidOrder, type NewOrder } from './insert-order.js';
import { correctContact } from './order-ownership.js';
import {
  type CartToPlace,
  type CheckoutRequest,
  placingInputOf,
  productsInReview,
  readCart,
} from './read-cart-to-place.js';
import type { PricedCart } from './rules/cart.js';
import { isClosed } from './rules/shop-settings.js';
import type { ShopStart } from './shop-host.js';

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
  readonly products: ReturnType<typeof productsInReview>;
}

/** The customer's order, or where the customer is sent instead: the order page, the cart or the form. */
type PlaceResult =
  | { readonly kind: 'placed'; readonly order: Order }
  | { readonly kind: 'show_order'; readonly order: Order }
  | { readonly kind: 'confirm_pay_again' }
  | ChangedCart
  | InReview
  | { readonly kind: 'cart_empty' }
  /** The merchant closed the shop for a time. An open payment page may still be paid. */
  | { readonly kind: 'shop_closed' };

/** Where the customer is sent. */
export type CheckoutResult = Exclude<PlaceResult, { kind: 'placed' }> | Exclude<Started<Order>, { kind: NotStarted }>;

/** What the order needs was taken meanwhile. The cart is placed again, and shows what changed. */
const NOT_STARTED = ['sold_out', 'not_offered'] as const;
type NotStarted = (typeof NOT_STARTED)[number];

type Placement =
  | PlaceResult
  /** The caller must verify this order, which a new one will replace, and place the cart again. */
  | { readonly kind: 'verify_earlier'; readonly order: Order };

/** The products may be sold, and the uses of the code taken, between the two steps. */
const MAX_STARTS = 3;

/**
 * Places the order of a cart, stores who owns it, and starts its payment. If its products were sold or its code was used up
 * meanwhile, the cart shows what is left.
 */
export async function placeAndStart(
  context: CheckoutContext,
  request: CheckoutRequest,
  flow: PaymentFlow,
  start: (orderId: string, options: StartOptions) => Promise<Started<Order>>,
): Promise<CheckoutResult> {
  const { client, payAgain = false } = request;
  for (let round = 1; round <= MAX_STARTS; round++) {
    const placed = await placeOrder(context, request, flow);
    if (placed.kind !== 'placed') return placed;
    const { order } = placed;
    await request.orderPlaced?.(order);
    const passed: ShopStart = { client, contactHash: order.contactHash };
    const started = await start(order.id, { payAgain, passed });
    if (!isNotStarted(started)) return started;
    if (isClosed(context.settings.current(), context.clock.now())) return { kind: 'shop_closed' };
  }
  throw new PaymentError('gateway_unavailable');
}

function isNotStarted(started: Started<Order>): started is Extract<Started<Order>, { kind: NotStarted }> {
  return (NOT_STARTED as readonly string[]).includes(started.kind);
}

/** A round may end with a lookup. Another one follows, because the cart may have changed meanwhile. */
const MAX_ROUNDS = 3;

/**
 * Creates an order from a cart, with frozen lines, total, contact and reservation. One cart version creates at most one order,
 * also with concurrent calls. Another e-mail address, shipping option or delivery time creates a new order, as a changed cart does. Otherwise
 * the customer pays the existing order, whose name and address this form may correct.
 * Throws {@link PaymentError} `busy` if the order that a new one would replace may be paid, and its lookup has no answer.
 */
export async function placeOrder(
  context: CheckoutContext,
  request: CheckoutRequest,
  flow: PaymentFlow,
): Promise<PlaceResult> {
  const { cartId } = request;
  if (!cartId) return { kind: 'cart_empty' };
  let verified: Verified<Order> | undefined;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const step: Placement = await context.db.transaction(async (queries) => {
      const input = await readCart(queries, context, cartId, { request, flow, verified, at: context.clock.now() });
      return input ? placeCart(queries, context, input) : { kind: 'cart_empty' };
    });
    if (step.kind !== 'verify_earlier') return step;
    verified = await verifyEarlier(context, step.order);
  }
  throw new PaymentError('busy', { orderId: verified?.order.id });
}

/** Throws if the order that a new one would replace may be paid, and its lookup has no answer. */
async function verifyEarlier(context: CheckoutContext, earlier: Order): Promise<Verified<Order>> {
  const verified = await context.payments.verify(earlier.id, 'checkout');
  if ([...verified.lookups.values()].some(hasNoAnswer)) throw new PaymentError('busy', { orderId: earlier.id });
  return verified;
}

async function placeCart(queries: Transaction, context: CheckoutContext, input: CartToPlace): Promise<Placement> {
  const { priced, quoted, request, earlier, uncertain, at } = input;
  const decision = decidePlacing(placingInputOf(input, context));
  const accepts = priced.lines.length > 0 || decision === 'cart_changed';
  const cart = accepts ? await acceptChanges(queries, input.cart, priced, at) : input.cart;
  const changed = { kind: 'cart_changed', cart: priced, total: quoted.total } as const;
  switch (decision) {
    case 'cart_empty':
    case 'confirm_pay_again':
    case 'shop_closed':
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
    // The three decisions about an earlier order are made only if there is one.
    case 'reuse':
      return earlier ? { kind: 'placed', order: await correctContact(queries, earlier, request.contact, at) } : changed;
    case 'show_earlier':
      return earlier ? { kind: 'show_order', order: earlier } : changed;
    case 'verify_earlier':
      return earlier ? { kind: decision, order: earlier } : changed;
  }
}

/** Inserts the order and its reservation, and ends the earlier order. */
async function writeOrder(
  queries: Transaction,
  context: CheckoutContext,
  input: CartToPlace,
  quote: NewOrder['quote'],
): Promise<Placement> {
  const { request, cart, earlier, at } = input;
  const id = timeOrderedId(at, context.random(ID_BYTES));
  // The same cart with another e-mail or shipping option is a new version of the cart.
  const isExisting = earlier?.cartVersion === cart.version;
  if (isExisting) await incrementCartVersion(queries, cart.id, at);
  const version = isExisting ? cart.version + 1 : cart.version;
  const payableUntil = at + context.config.orderPayableMs;
  const order = await insertUnpaidOrder(queries, context, {
    ...request,
    ...input,
    cart: { ...cart, version },
    id,
    quote,
    payableUntil,
  });
  if (earlier) await endLinksOfCart(queries, order.cartId, id);
  if (earlier && !isUncertain(earlier.state)) {
    await handOverReservations(queries, order, at);
    await context.payments.replaceOrder(queries, earlier, order);
  }
  await recordEvent(queries, { orderId: id, at, kind: 'placed', detail: { total: order.total } });
  return { kind: 'placed', order };
}
