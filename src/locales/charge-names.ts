import type { OrderLine } from '../shop/rules/cart.js';
import { CHARGES, isCharge } from '../shop/rules/charges.js';
import type { ShippingOptionId } from '../shop/rules/shipping.js';
import type { Translate } from './translations.js';

/** Returns the order lines with the names of their charges in another locale. */
export function nameCharges(
  t: Translate,
  { shippingOption }: { readonly shippingOption: ShippingOptionId },
  lines: readonly OrderLine[],
): readonly OrderLine[] {
  return lines.map((line) => {
    const { productId } = line;
    return isCharge(productId) ? { ...line, name: t(CHARGES[productId].label(shippingOption)) } : line;
  });
}
