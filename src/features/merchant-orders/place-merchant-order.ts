/** From the merchant's form to an unpaid order. */

import { recordEvent } from '@tianguis/payments/back-office';
import { type Centavos, centavos } from '@tianguis/payments/rules';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import { insertUnpaidOrder, type NewOrder } from '../../shop/insert-order.js';
import { type CartLine, type PricedCart, priceCart } from '../../shop/rules/cart.js';
import { readState } from '../../shop/rules/contact.js';
import { discountOf } from '../../shop/rules/discount.js';
import { type Choice, hasDelivery, type Quote, quotesFor, wantsDelivery } from '../../shop/rules/fees.js';
import type { OfferedProduct } from '../../shop/rules/product.js';
import type { ShippingTable } from '../../shop/rules/shipping-table.js';
import { isSeen } from '../../shop/seen.js';
import type { Db, Transaction } from '../../tables/database.js';
import { findOrder, findOrderLines, type Order } from '../../tables/orders.js';
import { findProduct } from '../../tables/products.js';
import { findLeft, lockProducts } from '../../tables/stock.js';
import { applyDiscount, applyShippingPrice, type OwnPrices } from './own-prices.js';
import { releaseReplaced, takeCartVersion } from './repository.js';

/** Products, shipping option and own prices, as the merchant chose them. */
export interface Wanted extends OwnPrices {
  /** Quantities by product id. */
  readonly quantities: ReadonlyMap<string, number>;
  readonly choice: Choice;
  /** Code of the state of the delivery address, valid or not. */
  readonly deliveryState: string | undefined;
  readonly postalCode: string | undefined;
}

/** The prices now. `quote`: absent if the shipping option is not offered for these products. */
export interface Offer {
  readonly priced: PricedCart;
  readonly quote: Quote | undefined;
  /** The shop does not deliver to the address. The order needs a shipping price of its own. */
  readonly needsOwnPrice?: boolean;
}

interface Prices {
  readonly shipping: ShippingTable;
  /** The cart of the order that the new one replaces. */
  readonly cartId?: string | undefined;
  readonly kept?: KeptCode | undefined;
  readonly at: number;
}

/** The code of the order that the new one replaces, and what it takes off there. */
interface KeptCode {
  readonly code: string;
  readonly amount: Centavos;
}

/** Returns the code that a corrected order keeps. `undefined`: it has none, or neither has its use nor could get one. */
export async function findKeptCode(
  queries: Db,
  { discountCodes }: Pick<CheckoutContext, 'discountCodes'>,
  earlier: Order | undefined,
  at: number,
): Promise<KeptCode | undefined> {
  const code = earlier?.discountCode ?? null;
  if (!earlier || code === null || !(await discountCodes?.isAvailable(queries, earlier, { at }))) return undefined;
  return { code, amount: discountOf(await findOrderLines(queries, earlier.id)) };
}

/** A discount that is greater than that of the kept code is one of the merchant. */
function withCode(priced: PricedCart, kept: KeptCode | undefined): PricedCart {
  const amount = discountOf(priced.lines);
  return kept && amount > 0 && amount <= kept.amount ? { ...priced, discount: { code: kept.code, amount } } : priced;
}

/** Returns a product that is on sale. What the cart has set aside counts as left. */
export async function findOffered(
  queries: Db,
  id: string,
  { cartId, at }: Pick<Prices, 'cartId' | 'at'>,
): Promise<OfferedProduct | undefined> {
  const product = await findProduct(queries, 'id', id, at);
  if (!product || cartId === undefined) return product;
  return { ...product, left: await findLeft(queries, id, { cartId, at }) };
}

/** Prices the products as a cart of the shop. One that needs no shipping, or has one option only, needs no choice. */
export async function priceWanted(
  queries: Db,
  { quantities, choice, deliveryState, postalCode, discount, shippingPrice }: Wanted,
  { shipping, cartId, kept, at }: Prices,
): Promise<Offer> {
  const lines: CartLine[] = [];
  for (const [productId, quantity] of quantities) {
    const product = await findOffered(queries, productId, { cartId, at });
    const seenPrice = product?.price ?? centavos(0);
    lines.push({ productId, quantity, seenPrice, product, left: product ? product.left : 0 });
  }
  const discounted = applyDiscount(priceCart({ lines }), discount);
  // Without the code, no quote lowers the discount: the merchant sees an error instead.
  const offered = quotesFor(shipping, discounted, choice, { state: readState(deliveryState), postalCode });
  const all = quotesFor(shipping, discounted, choice);
  const priced = withCode(discounted, kept);
  const needsOwnPrice = wantsDelivery(choice) && !hasDelivery(offered) && hasDelivery(all);
  // Where the shop does not deliver, the merchant agrees on a price with the customer, and promises no days.
  const quotes = needsOwnPrice ? all.map((quote) => ({ ...quote, days: undefined })) : offered;
  const chosen = quotes.find(({ id }) => id === choice.shippingOption);
  const quote = quotes.length === 1 ? quotes[0] : chosen;
  if (needsOwnPrice && shippingPrice === undefined) return { priced, quote: undefined, needsOwnPrice };
  return { priced, quote: quote && { ...applyShippingPrice(quote, priced, shippingPrice), cart: priced } };
}

export interface MerchantOrder extends Wanted, Pick<NewOrder, 'id' | 'contact' | 'locale' | 'nameOfFee' | 'note'> {
  /** How long the order can be paid. */
  readonly payableMs: number;
  /** Sets the pieces aside for as long as the order can be paid. */
  readonly isReservedUntilEnd: boolean;
  /** What the user saw, by `seenOf`. */
  readonly seen: string;
  readonly by: string;
}

/**
 * Creates the order with its reservation. `existed`: this form has already created one. `changed`: less is left, or the
 * user saw other lines or another total, and nothing was created.
 */
export function placeMerchantOrder(
  context: CheckoutContext,
  request: MerchantOrder,
): Promise<{ readonly kind: 'created' | 'existed'; readonly order: Order } | { readonly kind: 'changed' }> {
  return context.db.transaction(async (queries) => {
    // A double click waits here, because both posts name the same products.
    await lockProducts(queries, [...request.quantities.keys()]);
    const existing = await findOrder(queries, request.id);
    if (existing) return { kind: 'existed', order: existing };
    const order = await insertMerchantOrder(queries, context, request);
    return order ? { kind: 'created', order } : { kind: 'changed' };
  });
}

/**
 * Inserts the order with its reservation, with its products locked. With `earlier`, a locked order whose code is locked too, it
 * belongs to the cart of that one and takes over its pieces and its code. `undefined`: less is left, or the user saw another total, and nothing was written.
 */
export async function insertMerchantOrder(
  queries: Transaction,
  context: CheckoutContext,
  request: MerchantOrder,
  earlier?: Order,
): Promise<Order | undefined> {
  const { id, payableMs, by } = request;
  const at = context.clock.now();
  const { shipping } = context.settings.current();
  const kept = await findKeptCode(queries, context, earlier, at);
  const { priced, quote } = await priceWanted(queries, request, { shipping, cartId: earlier?.cartId, kept, at });
  const isAvailable = priced.shortages.length + priced.withdrawn.length === 0;
  if (!quote || !isAvailable || !isSeen(request.seen, priced, quote)) return undefined;
  if (earlier) await releaseReplaced(queries, earlier, at);
  const payableUntil = at + payableMs;
  const order = await insertUnpaidOrder(queries, context, {
    ...request,
    // No cart becomes an order of the merchant, so its own id stands for one.
    cart: earlier
      ? { id: earlier.cartId, version: await takeCartVersion(queries, earlier.cartId, at) }
      : { id, version: 1 },
    quote,
    payableUntil,
    client: undefined,
    reservedUntil: request.isReservedUntilEnd ? payableUntil : undefined,
    at,
  });
  if (order.discountCode !== null) await context.discountCodes?.keep(queries, order, at);
  const discount = discountOf(priced.lines) || undefined;
  const shippingPrice = quote.kind === 'none' ? undefined : request.shippingPrice;
  const detail = { total: order.total, by, discount, shippingPrice, replaces: earlier?.number };
  await recordEvent(queries, { orderId: id, at, kind: 'placed', detail });
  return order;
}
