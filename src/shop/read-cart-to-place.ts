/** What the placement of a cart depends on, read with cart, latest order and products locked. */

import type { Verified } from '@tianguis/payments';
import { findAttempts, withStatus } from '@tianguis/payments/back-office';
import {
  type Attempt,
  type Centavos,
  decideReplacement,
  isOffered,
  isUncertain,
  type PaymentFlow,
} from '@tianguis/payments/rules';
import { findCart, lockCart, lockProductsOfCart } from '../tables/carts.js';
import type { Db } from '../tables/database.js';
import { findOrderLines, findUncertainOrders, lockOrder, type Order } from '../tables/orders.js';
import type { CheckoutContext } from './checkout-context.js';
import type { PlacingInput } from './decide-placing.js';
import { isForeignOrder } from './order-ownership.js';
import { priceWithCode } from './price-cart.js';
import { type Cart, codeOf, freezeLines, isChanged, type OrderLine, type PricedCart } from './rules/cart.js';
import { type Contact, readState } from './rules/contact.js';
import { type Choice, type FeeId, hasDelivery, isExact, type Quote, quotesFor, wantsDelivery } from './rules/fees.js';
import { shippingKindOf } from './rules/frozen-shipping.js';
import type { Locale } from './rules/locale.js';
import type { Product } from './rules/product.js';
import type { ShippingTable } from './rules/shipping-table.js';
import { isClosed, type ShopSettings } from './rules/shop-settings.js';
import type { ClientKeys } from './rules/stock.js';
import { isSeen } from './seen.js';

/** A submitted checkout form and its customer. */
export interface CheckoutRequest {
  readonly cartId: string | undefined;
  readonly contact: Contact;
  readonly choice: Choice;
  /** Returns the name of a chosen fee in the customer's locale. */
  nameOfFee(id: FeeId): string;
  readonly locale: Locale;
  /** Absent: what the client may set aside is not limited. */
  readonly client?: ClientKeys | undefined;
  /** Ownership marks of orders that the customer's session placed. */
  readonly ownershipMarks: readonly string[];
  /** What the submitted page showed, by `seenOf`. */
  readonly seen: string;
  /** The customer was warned that an earlier attempt may still be charged, and chose to pay again. */
  readonly payAgain?: boolean;
  /**
   * Runs after the order is placed and before its payment starts, outside of a transaction. Stores who owns it, so that no error of
   * the start takes it from its customer. If it throws, no payment starts.
   */
  orderPlaced?(order: Order): Promise<void>;
}

/** A priced cart that is locked with its products, and its latest order. */
export interface CartToPlace {
  readonly request: CheckoutRequest;
  readonly flow: PaymentFlow;
  readonly verified: Verified | undefined;
  readonly cart: Cart;
  readonly priced: PricedCart;
  /** The settings of the shop in this transaction. The page may have shown earlier ones. */
  readonly settings: ShopSettings;
  readonly quoted: Quoted;
  /** Locked. A new order replaces it. */
  readonly earlier: Order | undefined;
  /** The attempts and lines of the latest order. */
  readonly attempts: readonly Attempt[];
  readonly lines: readonly OrderLine[];
  /** The orders of the cart whose payment is in review or has an unknown outcome. */
  readonly uncertain: Awaited<ReturnType<typeof findUncertainOrders>>;
  readonly at: number;
}

interface Quoted {
  /** The chosen shipping option. */
  readonly quote: Quote | undefined;
  /** The total of it, or of all options. */
  readonly total: Centavos | undefined;
  /** The submitted page showed this cart, with this option and total. */
  readonly isSeen: boolean;
}

/** `undefined`: there is no such cart. */
export async function readCart(
  queries: Db,
  context: Pick<CheckoutContext, 'discountCodes' | 'settings'>,
  cartId: string,
  input: Pick<CartToPlace, 'request' | 'flow' | 'verified' | 'at'>,
): Promise<CartToPlace | undefined> {
  const { request, at } = input;
  // For the lock order see tables/stock.ts.
  await lockCart(queries, cartId);
  const locked = await findCart(queries, cartId, at);
  if (!locked) return undefined;
  const { latestOrderId, discountCode } = locked;
  const earlier = latestOrderId === null ? undefined : await lockOrder(queries, latestOrderId);
  if (discountCode !== null) await context.discountCodes?.lock(queries, discountCode);
  const cart = (await lockProductsOfCart(queries, locked)) ? await findCart(queries, cartId, at) : locked;
  if (!cart) return undefined;
  const settings = await context.settings.atVersion(queries, cart.settingsVersion);
  const priced = await priceWithCode(queries, context, cart, { client: request.client, at });
  const read = { ...input, cart, priced, settings, quoted: quoteFor(settings.shipping, priced, request) };
  if (!earlier) return { ...read, earlier, attempts: [], lines: [], uncertain: [] };
  return {
    ...read,
    earlier,
    attempts: await findAttempts(queries, earlier.id),
    lines: await findOrderLines(queries, earlier.id),
    uncertain: await findUncertainOrders(queries, cartId),
  };
}

/** Returns the chosen shipping option with the order total. */
function quoteFor(table: ShippingTable, priced: PricedCart, { contact, choice, seen }: CheckoutRequest): Quoted {
  const { postalCode, deliveryState } = contact;
  const quotes = quotesFor(table, priced, choice, { postalCode, state: readState(deliveryState) });
  const quote = quotes.find(({ id }) => id === choice.shippingOption);
  const isElsewhere = wantsDelivery(choice) && !hasDelivery(quotes) && hasDelivery(quotesFor(table, priced, choice));
  // Without delivery to this address, or with an unknown price, the customer chooses again, also if one option is left.
  const only = quotes.length === 1 && !isElsewhere ? quotes.find(isExact) : undefined;
  return { quote, total: (quote ?? only)?.total, isSeen: quote !== undefined && isSeen(seen, priced, quote) };
}

/** Returns the facts on which {@link decidePlacing} decides. */
export function placingInputOf(input: CartToPlace, { config }: CheckoutContext): PlacingInput {
  const { cart, priced, quoted, request, flow, earlier, attempts, verified, at } = input;
  const { payAgain = false } = request;
  const hasLines = priced.lines.length > 0;
  const lookups = verified?.order.id === earlier?.id ? verified?.lookups : undefined;
  return {
    hasLines,
    isChanged: isChanged(priced),
    isConfirmed: quoted.isSeen,
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
        attempts: hasLines ? attempts.map(withStatus) : [],
        lookups,
        payAgain,
        environment: config.environment,
        at,
      }),
    },
    flow,
    payAgain,
    isClosed: isClosed(input.settings, at),
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
export function productsInReview({ priced, uncertain }: CartToPlace): readonly Product[] {
  const blocked = new Set(uncertain.flatMap(({ lines }) => lines.map(({ productId }) => productId)));
  return priced.lines.map(({ product }) => product).filter(({ id }) => blocked.has(id));
}

/** Returns whether the latest order stays valid: payable, same lines, total, code, shipping option with its kind and time, and e-mail address. */
function mayReuse(order: Order, { request, quoted: { quote }, lines, at }: CartToPlace): boolean {
  if (order.state === 'paid') return true;
  if (!quote || order.payableUntil === null || at >= order.payableUntil) return false;
  if (order.discountCode !== codeOf(quote.cart)) return false;
  if (order.total !== quote.total || order.email !== request.contact.email) return false;
  if (order.shippingOption !== quote.id || shippingKindOf(order) !== quote.kind) return false;
  const { min = null, max = null } = quote.days ?? {};
  if (order.shippingDaysMin !== min || order.shippingDaysMax !== max) return false;
  const fees = quote.fees.map((fee) => ({ ...fee, name: '' }));
  return contentOf(lines) === contentOf(freezeLines(quote.cart, request.locale, fees));
}

/** Returns what the customer buys and at which prices and IVA rates. Names follow the locale. */
function contentOf(lines: readonly OrderLine[]): string {
  return lines
    .map(({ productId, quantity, unitPrice, discount, taxRate }) =>
      [productId, quantity, unitPrice, discount, taxRate].join(),
    )
    .sort()
    .join('\n');
}
