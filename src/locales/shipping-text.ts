import { centavos } from '../payments/rules/index.js';
import type { Product } from '../shop/rules/product.js';
import { deliveryPrice, needsAddress, shippingOptions } from '../shop/rules/shipping.js';
import type { I18n } from './i18n.js';

/** Returns what the delivery of a product costs, as a sentence. `undefined`: it is not shipped. */
export function deliveryText(
  { t, money }: I18n,
  product: Pick<Product, 'price' | 'requiresShipping'>,
): string | undefined {
  const delivery = deliveryPrice(product);
  if (!delivery) return undefined;
  const { least, greatest, freeFrom } = delivery;
  if (greatest === 0) return t('product.shippingFree');
  const price = least === greatest ? money(least) : t('cart.shippingFrom', { price: money(least) });
  return t('product.shipping', { price, from: money(freeFrom) });
}

const PARCEL = { price: centavos(0), requiresShipping: true };

/** Returns the shipping options of the shop as a list in Markdown. */
export function shippingList(i18n: I18n): string {
  const { t } = i18n;
  const items = shippingOptions([{ product: PARCEL }], PARCEL.price).map(({ id }) => {
    const price = needsAddress(id) ? deliveryText(i18n, PARCEL) : `${t('shipping.free')}.`;
    return `- **${t(`shipping.${id}.label`)}:** ${t(`shipping.${id}.hint`)} ${price}`;
  });
  return items.join('\n');
}
