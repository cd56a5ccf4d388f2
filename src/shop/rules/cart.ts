import { type Centavos, centavos, sum, times } from '@tianguis/payments/rules';
import { allocate, type Discount, discountOf, discountOn, MIN_TOTAL } from './discount.js';
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
  /** The discount code that the customer entered. */
  readonly discountCode: string | null;
}

/** A discount code as it is now for one cart. */
export interface CartCode {
  readonly code: string;
  /** Absent: it has ended, or its uses are taken. */
  readonly terms?: (Discount & { readonly minimum: Centavos }) | undefined;
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
  /** Without the discount. */
  readonly lineTotal: Centavos;
  readonly discount: Centavos;
  readonly taxRate: TaxRate;
}

/**
 * Why a code takes off less than its terms say. `minimum`: the products cost less than `min`, so it takes nothing off. `min_total`:
 * the order costs at least `min`. `without_delivery`: so it does only with an option that costs nothing.
 */
export interface DiscountLimit {
  readonly reason: 'minimum' | 'min_total' | 'without_delivery';
  readonly min: Centavos;
}

/** The code of a cart and what it takes off. */
export interface CartDiscount {
  readonly code: string;
  readonly amount: Centavos;
  readonly limit?: DiscountLimit | undefined;
}

export interface PricedCart {
  readonly lines: readonly PricedLine[];
  /** Of the lines, without the discount. */
  readonly goods: Centavos;
  readonly discount: CartDiscount | undefined;
  /** Of the lines, less the discount. */
  readonly total: Centavos;
  /** A code that the customer entered and that has ended meanwhile. */
  readonly endedCode: string | undefined;
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
 * saw it. `code`: the code of the cart, as it is now. A quote may lower its discount, see {@link withMinTotal}.
 */
export function priceCart(cart: Pick<Cart, 'lines'>, code?: CartCode): PricedCart {
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
  const goods = sum(lines.map(({ lineTotal }) => lineTotal));
  const discount = code && cartDiscount(code, goods);
  return {
    ...withDiscount(lines, discount?.amount ?? centavos(0)),
    goods,
    discount,
    endedCode: code && !code.terms ? code.code : undefined,
    repriced: available
      .filter(({ line, product }) => line.seenPrice !== product.price)
      .map(({ line, product }) => ({ product, from: line.seenPrice, to: product.price })),
    withdrawn: cart.lines.filter(({ product }) => !product?.visible),
    shortages: onSale
      .filter(({ line, quantity }) => quantity < line.quantity)
      .map(({ line, product, quantity }) => ({ product, wanted: line.quantity, left: quantity })),
  };
}

/** Returns what the code takes off these products. `undefined`: it has ended. */
function cartDiscount({ code, terms }: CartCode, goods: Centavos): CartDiscount | undefined {
  if (!terms) return undefined;
  const { minimum: min } = terms;
  if (goods < min) return { code, amount: centavos(0), limit: { reason: 'minimum', min } };
  return { code, amount: discountOn(goods, terms) };
}

/** Returns the cart with a lower discount, if with its fees it would cost less than {@link MIN_TOTAL}. */
export function withMinTotal(cart: PricedCart, fees: Centavos): PricedCart {
  const { discount } = cart;
  const missing = MIN_TOTAL - cart.total - fees;
  if (!discount || discount.amount === 0 || missing <= 0) return cart;
  const amount = centavos(Math.max(0, discount.amount - missing));
  const limit = { reason: 'min_total', min: MIN_TOTAL } as const;
  return { ...cart, ...withDiscount(cart.lines, amount), discount: { ...discount, amount, limit } };
}

/** Returns the code that an order of the cart has. Null: it takes nothing off. */
export function codeOf({ discount }: Pick<PricedCart, 'discount'>): string | null {
  return discount && discount.amount > 0 ? discount.code : null;
}

/** Returns the lines with their shares of a discount, and what they cost. */
export function withDiscount(
  lines: readonly Omit<PricedLine, 'discount'>[],
  discount: Centavos,
): Pick<PricedCart, 'lines' | 'total'> {
  const totals = lines.map(({ lineTotal }) => lineTotal);
  const shares = allocate(discount, totals);
  const discounted = lines.map((line, place) => ({ ...line, discount: shares[place] ?? centavos(0) }));
  return { lines: discounted, total: centavos(sum(totals) - discountOf(discounted)) };
}

/** Returns the number of pieces that the customer can buy. */
export function countPieces({ lines }: PricedCart): number {
  return lines.reduce((pieces, { quantity }) => pieces + quantity, 0);
}

/** Returns whether the cart differs from what the customer last saw. */
export function isChanged({ repriced, withdrawn, shortages, endedCode }: PricedCart): boolean {
  return repriced.length + withdrawn.length + shortages.length > 0 || endedCode !== undefined;
}

/** A frozen order line. */
export interface OrderLine {
  readonly productId: string;
  readonly name: string;
  readonly unitPrice: Centavos;
  readonly quantity: number;
  /** The price before of the product, for one piece, as the customer saw it. A fee has none. */
  readonly priceBefore?: Centavos | null;
  /** The IVA rate that the price includes. */
  readonly taxRate: TaxRate;
  /** What a discount takes off the whole line. Fees have none. */
  readonly discount: Centavos;
}

/**
 * Returns the order lines for a cart, with names in the customer's locale. They never change afterwards. Fees above
 * zero are the last lines.
 */
export function freezeLines(cart: PricedCart, locale: Locale, fees: readonly OrderLine[]): readonly OrderLine[] {
  const goods = cart.lines.map(({ product, quantity, unitPrice, taxRate, discount }) => ({
    productId: product.id,
    name: textIn(product.name, locale),
    unitPrice,
    priceBefore: product.priceBefore,
    quantity,
    taxRate,
    discount,
  }));
  return [...goods, ...fees.filter(({ unitPrice }) => unitPrice > 0)];
}
