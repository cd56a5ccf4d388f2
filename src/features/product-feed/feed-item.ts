/** Products as items of a feed, by the product data specification of Google Merchant Center. Meta reads the same names. */
import { type Centavos, CURRENCY, toPesosText } from '../../payments/rules/index.js';
import { type Locale, textIn } from '../../shop/rules/locale.js';
import { groupIdOf } from '../../shop/rules/product.js';
import { localePath } from '../../web/locale-path.js';
import { productPath } from '../../web/paths.js';
import type { AssetUrl } from '../../web/static-files.js';
import type { FeedShipping, feedShipping } from './feed-shipping.js';
import type { FeedProduct } from './repository.js';
import { element, parent } from './xml.js';

/** What all items of a feed have in common. */
export interface FeedOptions {
  readonly locale: Locale;
  readonly locales: readonly [Locale, ...Locale[]];
  readonly publicUrl: string;
  readonly brandName: string;
  readonly isClosed: boolean;
  readonly shippingOf: ReturnType<typeof feedShipping>;
  readonly assetUrl: AssetUrl;
}

/** Characters of each text, and pictures after the first. */
export const FEED_LIMITS = { id: 50, title: 150, description: 5_000, brand: 70, size: 100, pictures: 10 } as const;

/** Returns whether a feed may have this product: ids are never shortened, because pages name them too. */
export function fitsFeed({ product }: FeedProduct): boolean {
  return product.id.length <= FEED_LIMITS.id;
}

/** Returns the item of a product. While the shop is closed, nothing can be bought. */
export function feedItem(each: FeedProduct, options: FeedOptions): string {
  const { product } = each;
  const { locale, locales, publicUrl, brandName, isClosed, shippingOf } = options;
  const title = textIn(product.name, locale);
  return parent('item', [
    element('g:id', product.id),
    element('g:title', shorten(title, FEED_LIMITS.title)),
    element('g:description', shorten(textIn(product.description, locale) || title, FEED_LIMITS.description)),
    element('g:link', addressOf(publicUrl + localePath(locales, locale, productPath(product)))),
    ...pictures(each, options),
    element('g:availability', isClosed || product.left === 0 ? 'out_of_stock' : 'in_stock'),
    ...prices(product),
    element('g:condition', 'new'),
    element('g:brand', shorten(brandName, FEED_LIMITS.brand)),
    ...group(product, locale),
    ...shippingOf(product).map(shipping),
    ...(product.weight === null ? [] : [element('g:shipping_weight', `${product.weight} g`)]),
  ]);
}

function pictures({ product, furtherPictures }: FeedProduct, { publicUrl, assetUrl }: FeedOptions): readonly string[] {
  const pictureOf = (image: string) => addressOf(publicUrl + assetUrl(image));
  return [
    element('g:image_link', pictureOf(product.image)),
    ...furtherPictures
      .slice(0, FEED_LIMITS.pictures)
      .map((image) => element('g:additional_image_link', pictureOf(image))),
  ];
}

function prices({ price, priceBefore }: FeedProduct['product']): readonly string[] {
  if (priceBefore === null) return [element('g:price', priceText(price))];
  return [element('g:price', priceText(priceBefore)), element('g:sale_price', priceText(price))];
}

function group(product: FeedProduct['product'], locale: Locale): readonly string[] {
  const id = groupIdOf(product);
  if (!product.variant || id.length > FEED_LIMITS.id) return [];
  const size = shorten(textIn(product.variant.label, locale), FEED_LIMITS.size);
  return [element('g:item_group_id', id), element('g:size', size)];
}

function shipping({ state, price }: FeedShipping): string {
  return parent('g:shipping', [
    element('g:country', 'MX'),
    ...(state ? [element('g:region', state)] : []),
    element('g:price', priceText(price)),
  ]);
}

function priceText(price: Centavos): string {
  return `${toPesosText(price)} ${CURRENCY}`;
}

/** Returns the address with only ASCII characters. */
function addressOf(url: string): string {
  return new URL(url).href;
}

/** Returns the first characters of a text. It cuts no character in halves. */
function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : Array.from(text).slice(0, limit).join('');
}
