import { times } from '@tianguis/payments/rules';
import type { OrderLine } from '../../shop/rules/cart.js';
import { isFee } from '../../shop/rules/fees.js';

/** Returns the order lines with their totals, without the discount. A fee is shown without a quantity. */
export function withTotals(lines: readonly OrderLine[]) {
  return lines.map((line) => ({
    ...line,
    lineTotal: times(line.unitPrice, line.quantity),
    totalBefore: line.priceBefore ? times(line.priceBefore, line.quantity) : undefined,
    isFee: isFee(line.productId),
  }));
}
