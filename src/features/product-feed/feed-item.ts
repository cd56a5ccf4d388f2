/** Products as items of a feed, by the product data specification of Google Merchant Center. Meta reads the same names. */
import { type Centavos, CURRENCY, toPesosText } from '@tianguis/payments/rules';
import { type Locale, textIn } from '../../shop/rules/locale.js';
import { isBitmap } from '../../shop/rules/picture.js';
import { groupIdOf } from '../../shop/rules/product.js';
import type { ShippingTable } from '../../shop/rules/shipping-table.js';
import { localePath } from '../../web/locale-path.js';
import { productPath } from '../../web/paths.js';
import type { AssetUrl } from '../../web/static-files.js';
import { feedShipping } from './feed-shipping.js';
import type { FeedProduct } from './repository.js';
import { element, parent } from './xml.js';

/** What all items of a feed have in common. */
export interface FeedOptions {
  readonly locale: Locale;
  readonly locales: readonly [Locale, ...Locale[]];
  readonly publicUrl: string;
  readonly brandName: string;
  readonly isClosed: boolean;
  /** The products have neither GTIN nor MPN. */
  readonly hasNoIdentifiers: boolean;
  readonly shipping: ShippingTable;
  readonly assetUrl: AssetUrl;
}

/** Characters of each text, and pictures after the first. */
export const FEED_LIMITS = { id: 50, title: 150, description: 5_000, brand: 70, attribute: 100, pictures: 10 } as const;

/** Returns whether a feed may have this product: ids are never shortened, because pages name them too. */
export function fitsFeed({ product }: FeedProduct): boolean {
  return product.id.length <= FEED_LIMITS.id;
}

/** Returns the item of a product. While the shop is closed, nothing can be bought. */
export function feedItem(each: FeedProduct, options: FeedOptions): string {
  const { product } = each;
  const { locale, locales, publicUrl, brandName, isClosed, hasNoIdentifiers } = options;
  const shipping = feedShipping(options.shipping, product);
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
    ...(hasNoIdentifiers ? [element('g:identifier_exists', 'no')] : []),
    ...group(each, locale),
    ...(shipping === null ? [] : [parent('g:shipping', [country, element('g:price', priceText(shipping))])]),
    ...(product.weight === null ? [] : [element('g:shipping_weight', `${product.weight} g`)]),
  ]);
}

const country = element('g:country', 'MX');

/** The first picture that Google accepts, and the others. A product without one has none. */
function pictures({ product, furtherPictures }: FeedProduct, { publicUrl, assetUrl }: FeedOptions): readonly string[] {
  const all = [product.image, ...furtherPictures].filter(isBitmap).slice(0, 1 + FEED_LIMITS.pictures);
  return all.map((image, place) =>
    element(place === 0 ? 'g:image_link' : 'g:additional_image_link', addressOf(publicUrl + assetUrl(image))),
  );
}

function prices({ price, priceBefore }: FeedProduct['product']): readonly string[] {
  if (priceBefore === null) return [element('g:price', priceText(price))];
  return [element('g:price', priceText(priceBefore)), element('g:sale_price', priceText(price))];
}

/** The products of a group differ in a named attribute. Without one, each is a product of its own. */
function group({ product, attribute }: FeedProduct, locale: Locale): readonly string[] {
  const id = groupIdOf(product);
  if (!product.variant || attribute === null || id.length > FEED_LIMITS.id) return [];
  const text = shorten(textIn(product.variant.label, locale), FEED_LIMITS.attribute);
  return [element('g:item_group_id', id), element(`g:${attribute}`, text)];
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
