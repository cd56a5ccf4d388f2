/** What the delivery of one piece costs, as far as a feed can say it. Pure. */
import type { Centavos } from '@tianguis/payments/rules';
import type { OfferedProduct } from '../../shop/rules/product.js';
import { priceOf, reachableZones, type ShippingTable } from '../../shop/rules/shipping-table.js';

type Parcel = Pick<OfferedProduct, 'price' | 'requiresShipping' | 'weight'>;

/**
 * Returns what the delivery of a product costs in all of Mexico. `null`: it is not shipped, or the zones differ. Google reads
 * prices by region of other countries only.
 */
export function feedShipping(
  table: ShippingTable,
  { requiresShipping, weight, price: total }: Parcel,
): Centavos | null {
  if (!requiresShipping) return null;
  const parcel = { weight: weight ?? table.defaultWeight, total };
  const prices = new Set(reachableZones(table).map(({ delivery }) => delivery && priceOf(delivery, parcel)));
  return prices.size === 1 ? ([...prices][0] ?? null) : null;
}
