import { type Centavos, fromPesosText } from '../../payments/rules/index.js';

const AMOUNT = /^\$?\s*(?:\d{1,14}|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?$/;

/** Parses pesos such as `$1,099.00`. A comma separates thousands only, because `10,50` could mean two amounts. */
export function readAmount(text: string): Centavos | undefined {
  return AMOUNT.test(text) ? fromPesosText(text.replaceAll(/[$,\s]/g, '')) : undefined;
}
