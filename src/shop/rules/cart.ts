import { type Centavos, sum, times } from '../../payments/rules/index.js';
import { type Locale, textIn } from './locale.js';
import type { Product, TaxRate } from './product.js';

export const MAX_QUANTITY = 99;
export const MAX_LINES = 50;

export interface CartLine {
  readonly productId: string;
  readonly quantity: number;
  readonly seenPrice: Centavos;
  /** The product at its current price; `undefined` if it was deleted. */
  readonly product: Product | undefined;
  /** Pieces that this cart may have; `null`: unlimited. */
  readonly left: number | null;
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

export interface PricedLine {
  readonly product: Product;
  readonly quantity: number;
  readonly unitPrice: Centavos;
  readonly lineTotal: Centavos;
  readonly taxRate: TaxRate;
}

export interface PricedCart {
  readonly lines: readonly PricedLine[];
  readonly total: Centavos;
  /** Lines whose price differs from the one that the customer last saw. */
  readonly repriced: readonly { readonly product: Product; readonly from: Centavos; readonly to: Centavos }[];
  /** Lines whose product is no longer on sale. */
  readonly withdrawn: readonly CartLine[];
  /** Lines with more pieces than are left. They are reduced to what is left; 0 removes them. */
  readonly shortages: readonly {
    readonly product: Product;
    readonly wanted: number;
    readonly left: number;
  }[];
}

/**
 * Prices the cart at current prices and reduces its lines to what is left. Lists what changed since the customer last
 * saw it.
 */
export function priceCart(cart: Pick<Cart, 'lines'>): PricedCart {
  const onSale = cart.lines.flatMap((line) =>
    line.product?.visible
      ? [{ line, product: line.product, quantity: Math.min(line.quantity, line.left ?? line.quantity) }]
      : [],
  );
  const available = onSale.filter(({ quantity }) => quantity > 0);
  const lines = available.map(({ product, quantity }) => ({
    product,
    quantity,
    unitPrice: product.price,
    lineTotal: times(product.price, quantity),
    taxRate: product.taxRate,
  }));
  return {
    lines,
    total: sum(lines.map((line) => line.lineTotal)),
    repriced: available
      .filter(({ line, product }) => line.seenPrice !== product.price)
      .map(({ line, product }) => ({ product, from: line.seenPrice, to: product.price })),
    withdrawn: cart.lines.filter(({ product }) => !product?.visible),
    shortages: onSale
      .filter(({ line, quantity }) => quantity < line.quantity)
      .map(({ line, product, quantity }) => ({ product, wanted: line.quantity, left: quantity })),
  };
}

/** Returns the number of pieces that the customer can buy. */
export function countPieces({ lines }: PricedCart): number {
  return lines.reduce((pieces, { quantity }) => pieces + quantity, 0);
}

/** Returns whether the cart differs from what the customer last saw. */
export function isChanged({ repriced, withdrawn, shortages }: PricedCart): boolean {
  return repriced.length + withdrawn.length + shortages.length > 0;
}

/** A frozen order line. */
export interface OrderLine {
  readonly productId: string;
  readonly name: string;
  readonly unitPrice: Centavos;
  readonly quantity: number;
  /** The IVA rate that the price includes. */
  readonly taxRate: TaxRate;
}

/**
 * Returns the order lines for a cart, with names in the customer's locale. They never change afterwards. Fees above
 * zero are the last lines.
 */
export function freezeLines(cart: PricedCart, locale: Locale, fees: readonly OrderLine[]): readonly OrderLine[] {
  const goods = cart.lines.map(({ product, quantity, unitPrice, taxRate }) => ({
    productId: product.id,
    name: textIn(product.name, locale),
    unitPrice,
    quantity,
    taxRate,
  }));
  return [...goods, ...fees.filter(({ unitPrice }) => unitPrice > 0)];
}
