import { type Locale, textIn } from './locale.js';
import { type Centavos, sum, times } from './money.js';
import type { Product } from './product.js';

export const MAX_QUANTITY = 99;
export const MAX_LINES = 50;

/** A stored cart line: product, quantity, and the price that the customer last saw. */
export interface CartLine {
  readonly productId: string;
  readonly quantity: number;
  readonly seenPrice: Centavos;
  /** The product at its current price; `undefined` if it was deleted. */
  readonly product: Product | undefined;
}

export interface Cart {
  readonly id: string;
  /** Increases with each change. One version creates at most one order. */
  readonly version: number;
  readonly lines: readonly CartLine[];
}

/**
 * Parses a quantity: one or two ASCII digits. Returns `undefined` for any other input, such as a sign, a space, a
 * fraction or non-ASCII digits. `least` is the minimum: 0 where zero removes a line, otherwise 1.
 */
export function readQuantity(raw: unknown, least: 0 | 1): number | undefined {
  if (typeof raw !== 'string' || !/^\d{1,2}$/.test(raw)) return undefined;
  const quantity = Number(raw);
  return quantity >= least && quantity <= MAX_QUANTITY ? quantity : undefined;
}

/** A cart line at the current price. */
export interface PricedLine {
  readonly product: Product;
  readonly quantity: number;
  readonly unitPrice: Centavos;
  readonly lineTotal: Centavos;
}

export interface PricedCart {
  readonly lines: readonly PricedLine[];
  readonly total: Centavos;
  /** Lines whose price differs from the one that the customer last saw. */
  readonly repriced: readonly { readonly product: Product; readonly from: Centavos; readonly to: Centavos }[];
  /** Lines whose product is no longer on sale. */
  readonly withdrawn: readonly CartLine[];
}

/** Prices the cart at current prices and lists what changed since the customer last saw it. */
export function priceCart(cart: Pick<Cart, 'lines'>): PricedCart {
  const onSale = cart.lines.flatMap((line) =>
    line.product?.visible ? [{ line, product: line.product }] : [],
  );
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
    withdrawn: cart.lines.filter(({ product }) => !product?.visible),
  };
}

/** A frozen order line. */
export interface OrderLine {
  readonly productId: string;
  readonly name: string;
  readonly unitPrice: Centavos;
  readonly quantity: number;
}

/** Returns the order lines for a cart, with names in the customer's locale. They never change afterwards. */
export function freezeLines(cart: PricedCart, locale: Locale): readonly OrderLine[] {
  return cart.lines.map(({ product, quantity, unitPrice }) => ({
    productId: product.id,
    name: textIn(product.name, locale),
    unitPrice,
    quantity,
  }));
}
