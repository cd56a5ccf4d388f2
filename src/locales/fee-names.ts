import type { OrderLine } from '../shop/rules/cart.js';
import { FEES, isFee } from '../shop/rules/fees.js';
import type { ShippingOptionId } from '../shop/rules/shipping.js';
import type { Translate } from './translations.js';

/** Returns the order lines with the names of their fees in another locale. */
export function nameFees(
  t: Translate,
  { shippingOption }: { readonly shippingOption: ShippingOptionId },
  lines: readonly OrderLine[],
): readonly OrderLine[] {
  return lines.map((line) => {
    const { productId } = line;
    return isFee(productId) ? { ...line, name: t(FEES[productId].label(shippingOption)) } : line;
  });
}
