/** Fees: order lines that are no products, such as shipping. Each has its name in `fees` of the messages. */

import { type Centavos, centavos, sum } from '@tianguis/payments/rules';
import { type OrderLine, type PricedCart, withMinTotal } from './cart.js';
import type { TaxRate } from './product.js';
import {
  isShippingOption,
  SHIPPING_OPTIONS,
  type ShippingOption,
  type ShippingOptionId,
  shippingOptions,
} from './shipping.js';
import type { Destination, ShippingTable } from './shipping-table.js';

interface FeeRule {
  readonly taxRate: TaxRate;
  /** The packing slip lists the fee, because the merchant does something with the parcel for it. */
  readonly isPacked: boolean;
  /** Returns the message with the name of the order line. */
  label(option: ShippingOptionId): string;
}

/** All fees, by the product id of their order line. No product has one of these ids. */
export const FEES = {
  shipping: { taxRate: '16', isPacked: false, label: (option) => `shipping.${option}.label` as const },
} as const satisfies Readonly<Record<string, FeeRule>>;
export type FeeId = keyof typeof FEES;

/** A fee of a cart. Its name follows when the order is placed. */
export interface Fee extends Omit<OrderLine, 'name'> {
  readonly productId: FeeId;
}

/** Fields of the checkout form that choose fees. */
export const CHOICE_FIELDS = ['shipping_option'] as const;
export type ChoiceField = (typeof CHOICE_FIELDS)[number];

/** The fees that the customer chose. */
export interface Choice {
  /** `undefined`: an unknown option. */
  readonly shippingOption: ShippingOptionId | undefined;
}

/** Parses the fields. A form without a shipping option means `none`, which a cart with products to ship refuses. */
export function readChoice(fields: Readonly<Partial<Record<ChoiceField, unknown>>>): Choice {
  const { shipping_option: posted = 'none' } = fields;
  return { shippingOption: isShippingOption(posted) ? posted : undefined };
}

/** Returns whether the customer chose an option that needs an address. */
export function wantsDelivery({ shippingOption: option }: Choice): boolean {
  return option !== undefined && SHIPPING_OPTIONS[option] === 'delivery';
}

/** A shipping option, with all fees of the cart. */
export interface Quote extends ShippingOption {
  readonly fees: readonly Fee[];
  /** The cart with what its code takes off with this option. */
  readonly cart: PricedCart;
  /** Of the products and fees, less the discount. */
  readonly total: Centavos;
}

/** Returns a quote for each shipping option of the cart. `destination` is what is known of the delivery address. */
export function quotesFor(
  table: ShippingTable,
  priced: PricedCart,
  choice: Choice,
  destination?: Destination,
): readonly Quote[] {
  return shippingOptions(table, priced.lines, priced.total, destination).map((option) => {
    const fees = feesOf(option, choice);
    const feeTotal = sum(fees.map(({ unitPrice }) => unitPrice));
    const cart = withMinTotal(priced, feeTotal);
    return { ...option, fees, cart, total: sum([cart.total, feeTotal]) };
  });
}

/** Returns the cart as it is shown before an option is chosen: with the cheapest one that costs something, if there is one. */
export function beforeChoice(table: ShippingTable, priced: PricedCart): PricedCart {
  const prices = shippingOptions(table, priced.lines, priced.total).flatMap(({ price, greatest }) => [price, greatest]);
  const [least = centavos(0)] = prices.filter((price) => price > 0).toSorted((one, other) => one - other);
  const shown = withMinTotal(priced, least);
  const { discount } = shown;
  const { limit } = withMinTotal(priced, centavos(Math.min(...prices, least))).discount ?? {};
  if (!discount || discount.limit || !limit) return shown;
  return { ...shown, discount: { ...discount, limit: { ...limit, reason: 'without_delivery' } } };
}

/** Returns whether the price does not depend on an address that is not known yet. */
export function isExact({ price, greatest }: Pick<Quote, 'price' | 'greatest'>): boolean {
  return price === greatest;
}

export function hasDelivery(quotes: readonly Pick<Quote, 'kind'>[]): boolean {
  return quotes.some(({ kind }) => kind === 'delivery');
}

/** Returns the fees of a cart in the order of their lines. A price of zero is shown, and is no order line. */
function feesOf({ kind, price }: ShippingOption, _choice: Choice): readonly Fee[] {
  return kind === 'none' ? [] : [fee('shipping', price)];
}

function fee(productId: FeeId, unitPrice: Centavos): Fee {
  return { productId, unitPrice, quantity: 1, taxRate: FEES[productId].taxRate, discount: centavos(0) };
}

/** Returns whether an order line or a product id is that of a fee. */
export function isFee(productId: string): productId is FeeId {
  return Object.hasOwn(FEES, productId);
}
