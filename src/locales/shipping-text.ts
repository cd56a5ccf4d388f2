import { centavos } from '@tianguis/payments/rules';
import type { Product } from '../shop/rules/product.js';
import { freeFromOf, type ParcelLine, type ShippingOption, shippingOptions } from '../shop/rules/shipping.js';
import type { ShippingTable } from '../shop/rules/shipping-table.js';
import { daysText } from './delivery-days.js';
import type { I18n } from './i18n.js';

/** Returns what the delivery of a product costs, and when it arrives, as sentences. `undefined`: it is not delivered. */
export function deliveryText(
  i18n: I18n,
  table: ShippingTable,
  product: ParcelLine['product'] & Pick<Product, 'price'>,
): string | undefined {
  const options = shippingOptions(table, [{ product, quantity: 1 }], product.price);
  const option = options.find(({ kind }) => kind === 'delivery');
  return option && [priceSentence(i18n, table, option), deliveryTime(i18n, option)].join(' ').trim();
}

function priceSentence(i18n: I18n, table: ShippingTable, option: ShippingOption): string {
  const { t, money } = i18n;
  if (option.greatest === 0) return t('product.shippingFree');
  const price = optionPrice(i18n, option);
  const from = freeFromOf(table);
  return from === undefined
    ? t('product.shippingPrice', { price })
    : t('product.shipping', { price, from: money(from) });
}

/** Returns the price of an option: an amount, the word for free, or a range while the destination is not known. */
export function optionPrice(
  { t, money }: I18n,
  { price, greatest }: Pick<ShippingOption, 'price' | 'greatest'>,
): string {
  if (price === greatest) return price === 0 ? t('shipping.free') : money(price);
  return price === 0
    ? t('shipping.rangeFromFree', { greatest: money(greatest) })
    : t('shipping.range', { least: money(price), greatest: money(greatest) });
}

/** Returns when an order with this option arrives, as a sentence. */
export function deliveryTime({ t }: I18n, { days }: Pick<ShippingOption, 'days'>): string | undefined {
  return days && daysText(t, days);
}

const PARCEL = { price: centavos(0), requiresShipping: true };

/** Returns the shipping options of the shop as a list in Markdown. */
export function shippingList(i18n: I18n, table: ShippingTable): string {
  const { t } = i18n;
  const items = shippingOptions(table, [{ product: PARCEL, quantity: 1 }], PARCEL.price).map(({ id, kind }) => {
    const price = kind === 'delivery' ? deliveryText(i18n, table, PARCEL) : `${t('shipping.free')}.`;
    return `- **${t(`shipping.${id}.label`)}:** ${t(`shipping.${id}.hint`)} ${price}`;
  });
  return items.join('\n');
}
