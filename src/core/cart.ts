import { findProduct, type Locale, type Product, textIn } from './catalogue.js';
import { type Centavos, sum, times } from './money.js';

export const MAX_QUANTITY = 99;
export const MAX_LINES = 50;

/** A cart as it is kept: what, how many, and the price that the shopper last saw. */
export interface CartLine {
  readonly productId: string;
  readonly quantity: number;
  readonly seenPrice: Centavos;
}

export interface Cart {
  readonly id: string;
  /** Grows with each change: one version of a cart becomes one order at the most. */
  readonly version: number;
  readonly lines: readonly CartLine[];
}

/**
 * A quantity as typed: one to two plain ASCII digits, nothing else. No sign, space, fraction, exponent or digits of
 * another script is converted silently. `least` is 0 where zero removes a line, else 1.
 */
export function readQuantity(raw: unknown, least: 0 | 1): number | undefined {
  if (typeof raw !== 'string' || !/^\d{1,2}$/.test(raw)) return undefined;
  const quantity = Number(raw);
  return quantity >= least && quantity <= MAX_QUANTITY ? quantity : undefined;
}

/** A line at today's price. */
export interface PricedLine {
  readonly product: Product;
  readonly quantity: number;
  readonly unitPrice: Centavos;
  readonly lineTotal: Centavos;
}

export interface PricedCart {
  readonly lines: readonly PricedLine[];
  readonly total: Centavos;
  /** Lines whose price is no longer the one the shopper saw. */
  readonly repriced: readonly { readonly product: Product; readonly from: Centavos; readonly to: Centavos }[];
  /** Product ids no longer on sale. */
  readonly withdrawn: readonly string[];
}

/** The cart at today's prices, with everything that changed since the shopper last looked. */
export function priceCart(cart: Pick<Cart, 'lines'>): PricedCart {
  const known = cart.lines.map((line) => ({ line, product: findProduct(line.productId) }));
  const onSale = known.flatMap(({ line, product }) => (product ? [{ line, product }] : []));
  const lines = onSale.map(({ line, product }) => ({
    product,
    quantity: line.quantity,
    unitPrice: product.price,
    lineTotal: times(product.price, line.quantity),
  }));
  return {
    lines,
    total: sum(lines.map((line) => line.lineTotal)),
    repriced: onSale
      .filter(({ line, product }) => line.seenPrice !== product.price)
      .map(({ line, product }) => ({ product, from: line.seenPrice, to: product.price })),
    withdrawn: known.filter(({ product }) => !product).map(({ line }) => line.productId),
  };
}

/** One line of the frozen promise that an order is. */
export interface OrderLine {
  readonly productId: string;
  readonly name: string;
  readonly unitPrice: Centavos;
  readonly quantity: number;
}

/** What the order keeps of a cart, in the shopper's language, never to change again. */
export function freezeLines(cart: PricedCart, locale: Locale): readonly OrderLine[] {
  return cart.lines.map(({ product, quantity, unitPrice }) => ({
    productId: product.id,
    name: textIn(product.name, locale),
    unitPrice,
    quantity,
  }));
}
