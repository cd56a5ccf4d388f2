import { type Centavos, centavos } from '../../payments/rules/index.js';
import { STATE_CODES, type StateCode } from './contact.js';
import type { ShippingKind } from './frozen-shipping.js';
import type { Product } from './product.js';

interface OptionFacts {
  /** `delivery` needs an address. */
  readonly kind: ShippingKind;
  /** Business days from the payment to the delivery, with the preparation. Absent: the shop states none. */
  readonly days?: { readonly min: number; readonly max: number };
}

/** All shipping options. `none`: no line of the cart requires shipping. */
export const SHIPPING_OPTIONS = {
  standard: { kind: 'delivery', days: { min: 3, max: 10 } },
  pickup: { kind: 'pickup' },
  none: { kind: 'none' },
} as const satisfies Readonly<Record<string, OptionFacts>>;
export type ShippingOptionId = keyof typeof SHIPPING_OPTIONS;

/** An option for a cart. The order that is placed freezes it. */
export interface ShippingOption extends OptionFacts {
  readonly id: ShippingOptionId;
  readonly price: Centavos;
}

const FREE = centavos(0);
const FLAT_RATE = centavos(99_00);
/** The delivery is free from this total of the products. The cart shows it. */
export const FREE_FROM = centavos(1_500_00);

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
  if (!lines.some(({ product }) => product.requiresShipping)) return [{ id: 'none', price: FREE, kind: 'none' }];
  return [
    { id: 'standard', price: goodsTotal >= FREE_FROM ? FREE : FLAT_RATE, ...SHIPPING_OPTIONS.standard },
    { id: 'pickup', price: FREE, ...SHIPPING_OPTIONS.pickup },
  ];
}

/**
 * Returns the least and the greatest price to deliver one piece of a product, over all states, and the total from which
 * the delivery is free. For the product page. `undefined`: the product is not shipped.
 */
export function deliveryPrice(product: Pick<Product, 'price' | 'requiresShipping'>) {
  const options = STATE_CODES.flatMap((state) => shippingOptions([{ product }], product.price, state));
  const prices = options.filter(({ kind }) => kind === 'delivery').map(({ price }) => price);
  if (prices.length === 0) return undefined;
  return { least: centavos(Math.min(...prices)), greatest: centavos(Math.max(...prices)), freeFrom: FREE_FROM };
}

/** Returns whether this is the id of a shipping option. */
export function isShippingOption(id: unknown): id is ShippingOptionId {
  return typeof id === 'string' && Object.hasOwn(SHIPPING_OPTIONS, id);
}
