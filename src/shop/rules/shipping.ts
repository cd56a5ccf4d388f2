import { type Centavos, centavos } from '../../payments/rules/index.js';
import { STATE_CODES, type StateCode } from './contact.js';
import type { Product } from './product.js';

/** All shipping options. `none`: no line of the cart requires shipping. */
export const SHIPPING_OPTIONS = ['standard', 'pickup', 'none'] as const;
export type ShippingOptionId = (typeof SHIPPING_OPTIONS)[number];

export interface ShippingOption {
  readonly id: ShippingOptionId;
  readonly price: Centavos;
}

const FREE = centavos(0);
const FLAT_RATE = centavos(99_00);
/** The delivery is free from this total of the products. The cart shows it. */
export const FREE_FROM = centavos(1_500_00);
/** Business days from the payment to the delivery, with the preparation. Product, cart and checkout show them. */
const DELIVERY_DAYS: Readonly<Partial<Record<ShippingOptionId, { readonly min: number; readonly max: number }>>> = {
  standard: { min: 3, max: 10 },
};

/**
 * Returns the shipping options of a cart. The first is selected by default. Change the prices of your shop here, and the
 * days above.
 * `_state` is the state of the delivery address, once the customer has chosen one.
 */
export function shippingOptions(
  lines: readonly { readonly product: Pick<Product, 'requiresShipping'> }[],
  goodsTotal: Centavos,
  _state?: StateCode,
): readonly ShippingOption[] {
  if (!lines.some(({ product }) => product.requiresShipping)) return [{ id: 'none', price: FREE }];
  return [
    { id: 'standard', price: goodsTotal >= FREE_FROM ? FREE : FLAT_RATE },
    { id: 'pickup', price: FREE },
  ];
}

/**
 * Returns the least and the greatest price to deliver one piece of a product, over all states, and the total from which
 * the delivery is free. For the product page. `undefined`: the product is not shipped.
 */
export function deliveryPrice(product: Pick<Product, 'price' | 'requiresShipping'>) {
  const options = STATE_CODES.flatMap((state) => shippingOptions([{ product }], product.price, state));
  const prices = options.filter(({ id }) => needsAddress(id)).map(({ price }) => price);
  if (prices.length === 0) return undefined;
  return { least: centavos(Math.min(...prices)), greatest: centavos(Math.max(...prices)), freeFrom: FREE_FROM };
}

/** Returns the business days until the delivery. `undefined`: the shop states none, such as for pickup. */
export function deliveryDays(option: ShippingOptionId) {
  return DELIVERY_DAYS[option];
}

/** Returns whether the shop offers this option. */
export function isOptionOffered(option: ShippingOptionId): boolean {
  return shippingOptions([{ product: { requiresShipping: true } }], FREE).some(({ id }) => id === option);
}

/** Returns whether the option needs a delivery address. */
export function needsAddress(option: ShippingOptionId): option is Exclude<ShippingOptionId, 'pickup' | 'none'> {
  return option !== 'pickup' && option !== 'none';
}
