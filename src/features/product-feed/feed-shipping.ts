/** What the delivery of one piece costs, as far as a feed can say it. Pure. */
import type { Centavos } from '../../payments/rules/index.js';
import { isPostalCodeOf, STATE_CODES, type StateCode } from '../../shop/rules/contact.js';
import type { OfferedProduct } from '../../shop/rules/product.js';
import { priceOf, type ShippingTable, type ZoneDelivery, zoneOf } from '../../shop/rules/shipping-table.js';

/** A price in one state. Without a state it is that of the whole country. */
export interface FeedShipping {
  readonly state?: StateCode;
  readonly price: Centavos;
}

type Parcel = Pick<OfferedProduct, 'price' | 'requiresShipping' | 'weight'>;

/**
 * Returns a function that prices the delivery of a product. A state where the price depends on the postal code is absent, as
 * a feed has no postal codes of Mexico. So is one where the shop does not deliver.
 */
export function feedShipping(table: ShippingTable): (product: Parcel) => readonly FeedShipping[] {
  const states = STATE_CODES.map((state) => ({ state, deliveries: deliveriesIn(table, state) }));
  return ({ requiresShipping, weight, price: total }) => {
    if (!requiresShipping) return [];
    const parcel = { weight: weight ?? table.defaultWeight, total };
    const priced = states.map(({ state, deliveries }) => {
      const prices = new Set(deliveries.map((delivery) => delivery && priceOf(delivery, parcel)));
      return { state, price: prices.size === 1 ? ([...prices][0] ?? null) : null };
    });
    const [first] = priced;
    if (first && first.price !== null && priced.every(({ price }) => price === first.price))
      return [{ price: first.price }];
    return priced.flatMap(({ state, price }) => (price === null ? [] : [{ state, price }]));
  };
}

/** Returns how the shop delivers in a state: to the state itself, and to postal codes in it. `null`: it does not. */
function deliveriesIn(table: ShippingTable, state: StateCode): readonly (ZoneDelivery | null)[] {
  const byCode = table.zones.filter(({ postalCodes }) => postalCodes.some((code) => isPostalCodeOf(state, code)));
  const ofState = zoneOf(table, { state });
  return [...byCode, ...(ofState ? [ofState] : [])].map(({ delivery }) => delivery);
}
