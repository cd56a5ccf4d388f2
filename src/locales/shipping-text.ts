import { centavos } from '../payments/rules/index.js';
import type { Product } from '../shop/rules/product.js';
import { deliveryPrice, type ShippingOption, shippingOptions } from '../shop/rules/shipping.js';
import type { I18n } from './i18n.js';

/** Returns what the delivery of a product costs, and when it arrives, as sentences. `undefined`: it is not shipped. */
export function deliveryText(i18n: I18n, product: Pick<Product, 'price' | 'requiresShipping'>): string | undefined {
  const delivery = deliveryPrice(product);
  if (!delivery) return undefined;
  const option = shippingOptions([{ product }], product.price).find(({ kind }) => kind === 'delivery');
  return [priceText(i18n, delivery), option && deliveryTime(i18n, option)].join(' ').trim();
}

function priceText({ t, money }: I18n, { least, greatest, freeFrom }: NonNullable<ReturnType<typeof deliveryPrice>>) {
  if (greatest === 0) return t('product.shippingFree');
  const price = least === greatest ? money(least) : t('cart.shippingFrom', { price: money(least) });
  return t('product.shipping', { price, from: money(freeFrom) });
}

/** Returns when an order with this option arrives, as a sentence. */
export function deliveryTime({ t }: I18n, { days }: Pick<ShippingOption, 'days'>): string | undefined {
  return days && t('shipping.time', days);
}

const PARCEL = { price: centavos(0), requiresShipping: true };

/** Returns the shipping options of the shop as a list in Markdown. */
export function shippingList(i18n: I18n): string {
  const { t } = i18n;
  const items = shippingOptions([{ product: PARCEL }], PARCEL.price).map(({ id, kind }) => {
    const price = kind === 'delivery' ? deliveryText(i18n, PARCEL) : `${t('shipping.free')}.`;
    return `- **${t(`shipping.${id}.label`)}:** ${t(`shipping.${id}.hint`)} ${price}`;
  });
  return items.join('\n');
}
