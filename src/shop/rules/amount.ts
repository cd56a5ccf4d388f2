import { type Centavos, fromPesosText } from '../../payments/rules/index.js';
import type { Discount } from './discount.js';

const AMOUNT = /^\$?\s*(?:\d{1,14}|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?$/;

/** Parses pesos such as `$1,099.00`. A comma separates thousands only, because `10,50` could mean two amounts. */
export function readAmount(text: string): Centavos | undefined {
  return AMOUNT.test(text) ? fromPesosText(text.replaceAll(/[$,\s]/g, '')) : undefined;
}

const PERCENT = /^0*([1-9]\d?|100)\s*%?$/;

/** Parses what a discount takes off: a whole percent from 1 to 100, such as `10 %`, or pesos above zero, in centavos. */
export function readDiscountValue(kind: Discount['kind'], text: string): number | undefined {
  if (kind === 'amount') return readAmount(text) || undefined;
  const percent = PERCENT.exec(text)?.[1];
  return percent === undefined ? undefined : Number(percent);
}
