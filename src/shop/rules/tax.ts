/** The IVA that a price includes. Pure, with integers only. */
import { type Centavos, centavos, sum } from '@tianguis/payments/rules';
import { type DiscountedLine, netOf } from './discount.js';
import type { TaxRate } from './product.js';

/** Base and IVA of a price. They always sum to the price. */
export interface TaxedAmount {
  readonly base: Centavos;
  readonly tax: Centavos;
}

/** Splits a price that includes IVA. The base is `total × 100 / (100 + rate)`, rounded half up to a centavo. */
export function taxOf(total: Centavos, rate: TaxRate): TaxedAmount {
  const divisor = 100 + (rate === 'exempt' ? 0 : Number(rate));
  // The remainder is divided apart, because `total * 100` may exceed the safe integers.
  const rest = total % divisor;
  const base = centavos(((total - rest) / divisor) * 100 + Math.floor((rest * 200 + divisor) / (2 * divisor)));
  return { base, tax: centavos(total - base) };
}

/** A line of a cart or an order, for {@link taxTotals}. */
export interface TaxedLine extends DiscountedLine {
  readonly taxRate: TaxRate;
}

/** Returns the sums of base and IVA of what the lines cost. Each line is rounded on its own, as on an invoice. */
export function taxTotals(lines: readonly TaxedLine[]): TaxedAmount {
  const amounts = lines.map((line) => taxOf(netOf(line), line.taxRate));
  return { base: sum(amounts.map(({ base }) => base)), tax: sum(amounts.map(({ tax }) => tax)) };
}
