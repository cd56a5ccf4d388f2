/** What a merchant order changes of the shop's prices: a discount on its products, and an own shipping price. */

import { type Centavos, centavos, hasForeignSeparators, readAmount, sum } from '@tianguis/payments/rules';
import { typedField } from '../../admin/order/order-record.js';
import { type PricedCart, withDiscount } from '../../shop/rules/cart.js';
import { type Discount, discountOn, MIN_TOTAL, readDiscountValue } from '../../shop/rules/discount.js';
import type { Quote } from '../../shop/rules/fees.js';
import type { ShownForm, Typed } from '../../web/form.js';
import type { RequestContext } from '../../web/request-context.js';

const KINDS = ['none', 'percent', 'amount'] as const;
const MAX_SHIPPING_PRICE = centavos(1_000_000_00);

export interface OwnPrices {
  readonly discount?: Discount | undefined;
  /** Replaces the price of the shipping option. Not used if nothing is shipped. */
  readonly shippingPrice?: Centavos | undefined;
}

/** Reads the fields, with their errors by field. A field with an error changes no price. */
export function readOwnPrices({ t, money }: RequestContext, typed: Typed) {
  const { discount_kind: posted = 'none', discount_value = '', shipping_price = '' } = typed;
  const value = discount_value.trim();
  const shipping = shipping_price.trim();
  const choice = KINDS.find((each) => each === posted);
  const kind = choice === 'none' ? undefined : choice;
  const taken = kind && readDiscountValue(kind, value);
  const price = readAmount(shipping);
  const shippingPrice = price !== undefined && price <= MAX_SHIPPING_PRICE ? price : undefined;
  const isWithoutKind = choice === undefined || (choice === 'none' && value !== '');
  const valueProblem = kind === 'percent' ? t('merchantOrders.problems.percent') : t('merchantOrders.problems.amount');
  const shippingProblem = t('merchantOrders.problems.shippingPrice', { limit: money(MAX_SHIPPING_PRICE) });
  const problemOf = (text: string, problem: string) => (hasForeignSeparators(text) ? t('form.separators') : problem);
  const discount = kind && taken !== undefined ? { kind, value: taken } : undefined;
  const ownPrices: OwnPrices = { discount, shippingPrice };
  return {
    ownPrices,
    problems: {
      discount_kind: isWithoutKind && t('merchantOrders.problems.discountKind'),
      discount_value: kind !== undefined && taken === undefined && problemOf(value, valueProblem),
      shipping_price: shipping !== '' && shippingPrice === undefined && problemOf(shipping, shippingProblem),
    },
  };
}

/** Returns the errors by field of an order that its own prices make cost too little. */
export function totalProblems(
  { t, money }: RequestContext,
  total: Centavos,
  { discount, shippingPrice }: OwnPrices,
): Readonly<Record<string, string>> {
  const field = discount ? 'discount_value' : shippingPrice !== undefined && 'shipping_price';
  if (total >= MIN_TOTAL || !field) return {};
  return { [field]: t('merchantOrders.problems.minTotal', { min: money(MIN_TOTAL) }) };
}

/** Takes the discount off the products. */
export function applyDiscount(priced: PricedCart, discount: Discount | undefined): PricedCart {
  return discount ? { ...priced, ...withDiscount(priced.lines, discountOn(priced.goods, discount)) } : priced;
}

/** Replaces the price of the shipping option. The tax rate of the fee stays. */
export function applyShippingPrice(quote: Quote, { total }: PricedCart, price: Centavos | undefined): Quote {
  if (price === undefined || quote.kind === 'none') return quote;
  const fees = quote.fees.map((fee) => (fee.productId === 'shipping' ? { ...fee, unitPrice: price } : fee));
  return { ...quote, price, greatest: price, fees, total: sum([total, ...fees.map(({ unitPrice }) => unitPrice)]) };
}

/** Builds the fields of the own prices. */
export function ownPriceFields({ t }: RequestContext, form: ShownForm) {
  const amount = (name: string) => ({ name, inputMode: 'decimal', ...typedField(form, name) });
  return [
    {
      name: 'discount_kind',
      kind: 'list',
      label: t('merchantOrders.discountKind'),
      options: KINDS.map((kind) => ({ value: kind, label: t(`merchantOrders.discountKinds.${kind}`) })),
      ...typedField(form, 'discount_kind', 'none'),
    },
    {
      label: t('merchantOrders.discountValue'),
      hint: t('merchantOrders.discountHint'),
      ...amount('discount_value'),
    },
    {
      label: t('merchantOrders.shippingPrice'),
      hint: t('merchantOrders.shippingPriceHint'),
      ...amount('shipping_price'),
    },
  ];
}
