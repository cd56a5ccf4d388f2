/** What a discount takes off the products of an order. Pure, with integers only. */
import { type Centavos, centavos, type GatewayLine, readAmount, sum, times } from '@tianguis/payments/rules';

/** `percent`: 1 to 100. `amount`: centavos. */
export interface Discount {
  readonly kind: 'percent' | 'amount';
  readonly value: number;
}

/** The least total that an order with a discount may have. */
export const MIN_TOTAL = centavos(1_00);

const PERCENT = /^0*([1-9]\d?|100)\s*%?$/;

/** Parses what a discount takes off: a whole percent from 1 to 100, such as `10 %`, or pesos above zero, in centavos. */
export function readDiscountValue(kind: Discount['kind'], text: string): number | undefined {
  if (kind === 'amount') return readAmount(text) || undefined;
  const percent = PERCENT.exec(text)?.[1];
  return percent === undefined ? undefined : Number(percent);
}

/** Returns what a discount takes off products of this sum. A percent is rounded half up, an amount is at most the sum. */
export function discountOn(goods: Centavos, { kind, value }: Discount): Centavos {
  if (kind === 'amount') return centavos(Math.min(value, goods));
  // The remainder is multiplied apart, because `goods * 100` may exceed the safe integers.
  const rest = goods % 100;
  return centavos(((goods - rest) / 100) * value + Math.floor((rest * value + 50) / 100));
}

/**
 * Divides a discount by the totals of the lines, which include IVA. Each share is rounded down. The centavos that are left go to
 * the largest remainders, first lines first.
 */
export function allocate(discount: Centavos, totals: readonly Centavos[]): readonly Centavos[] {
  const whole = BigInt(sum(totals));
  if (whole === 0n) return totals;
  const shares = totals.map((total, place) => {
    const exact = BigInt(discount) * BigInt(total);
    return { place, share: Number(exact / whole), remainder: exact % whole };
  });
  const left = discount - shares.reduce((given, { share }) => given + share, 0);
  const byRemainder = shares.toSorted(
    (one, other) => Number(other.remainder - one.remainder) || one.place - other.place,
  );
  const raised = new Set(byRemainder.slice(0, left).map(({ place }) => place));
  return shares.map(({ place, share }) => centavos(raised.has(place) ? share + 1 : share));
}

/** A line of a cart or an order. */
export interface DiscountedLine {
  readonly unitPrice: Centavos;
  readonly quantity: number;
  /** What a discount takes off the whole line. */
  readonly discount: Centavos;
}

/** Returns what the customer pays for the line. */
export function netOf({ unitPrice, quantity, discount }: DiscountedLine): Centavos {
  return centavos(times(unitPrice, quantity) - discount);
}

/** Returns what discounts take off all lines. */
export function discountOf(lines: readonly Pick<DiscountedLine, 'discount'>[]): Centavos {
  return sum(lines.map(({ discount }) => discount));
}

/**
 * Returns the lines for the gateway, which promises nothing about negative lines. Each is positive, and their sum is that of the
 * net lines. Pieces whose net prices differ by a centavo are two lines. A free line is left out.
 */
export function gatewayLines(lines: readonly (DiscountedLine & GatewayLine)[]): readonly GatewayLine[] {
  return lines.flatMap(({ productId, name, quantity, ...line }) => {
    const net = netOf({ quantity, ...line });
    const rest = net % quantity;
    const base = centavos((net - rest) / quantity);
    if (base === 0 && net > 0) return [{ productId, name: `${quantity} × ${name}`, quantity: 1, unitPrice: net }];
    const split = [
      { productId, name, quantity: quantity - rest, unitPrice: base },
      { productId, name, quantity: rest, unitPrice: centavos(base + 1) },
    ];
    return split.filter((part) => part.quantity > 0 && part.unitPrice > 0);
  });
}
