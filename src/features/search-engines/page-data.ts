/** Data of public pages for search engines and link previews. */

import { type Centavos, toPesosText } from '@tianguis/payments/rules';
import type { Response } from 'express';
import { textIn } from '../../shop/rules/locale.js';
import { isBitmap, pictureHashOf } from '../../shop/rules/picture.js';
import { groupIdOf, type OfferedProduct } from '../../shop/rules/product.js';
import { isClosed } from '../../shop/rules/shop-settings.js';
import { localePath } from '../../web/locale-path.js';
import { productPath } from '../../web/paths.js';
import type { Link, PublicPage } from '../../web/public-page.js';
import { contextOf } from '../../web/request-context.js';

const LONGEST_DESCRIPTION = 160;

/** Returns the model of the head of a public page. All addresses are absolute. */
export function head(res: Response, page: PublicPage) {
  const { path, canonical = path, description = '', image, type = 'website' } = page;
  const { locale, t, config, assetUrl, brand } = contextOf(res);
  const { locales, publicUrl } = config;
  const [first] = locales;
  const addressIn = (each: typeof locale) => publicUrl + localePath(locales, each, canonical);
  // The merchant uploads a picture of the start page, and cannot change the file of the brand.
  const ofShop = pictureHashOf(brand.heroImage) === undefined ? brand.shareImage : brand.heroImage;
  const picture = image && isBitmap(image) ? image : ofShop;
  return {
    canonical: addressIn(locale),
    alternates:
      locales.length === 1
        ? []
        : [
            ...locales.map((each) => ({ lang: each, href: addressIn(each) })),
            { lang: 'x-default', href: addressIn(first) },
          ],
    description: shorten(description) || t('brand.tagline'),
    image: picture && publicUrl + assetUrl(picture),
    type,
    locale: locale.replace('-', '_'),
  };
}

/** Returns the text up to 160 characters, cut after a word. */
function shorten(text: string): string {
  if (text.length <= LONGEST_DESCRIPTION) return text;
  return `${text.slice(0, LONGEST_DESCRIPTION).replace(/\s+\S*$/, '')}…`;
}

/** Returns a price before as search engines expect it beside the price of an offer. */
function priceBeforeData(priceBefore: Centavos) {
  return {
    '@type': 'UnitPriceSpecification',
    priceType: 'https://schema.org/StrikethroughPrice',
    price: toPesosText(priceBefore),
    priceCurrency: 'MXN',
  };
}

/** Returns the variants of a group, or its only product, with offers and breadcrumb as JSON-LD, for a data block in HTML. */
export function productData(res: Response, variants: readonly OfferedProduct[], breadcrumb: readonly Link[]): string {
  const context = contextOf(res);
  const { locale, config, assetUrl, publicPath } = context;
  const { publicUrl } = config;
  const isShopClosed = isClosed(context, context.checkout.clock.now());
  const attribute = variants.find(({ variantAttribute }) => variantAttribute !== null)?.variantAttribute;
  const products = variants.map((product) => ({
    '@type': 'Product',
    name: textIn(product.name, locale),
    description: textIn(product.description, locale),
    image: isBitmap(product.image) ? [publicUrl + assetUrl(product.image)] : undefined,
    sku: product.id,
    ...(attribute && product.variant && { [attribute]: textIn(product.variant.label, locale) }),
    offers: {
      '@type': 'Offer',
      url: publicUrl + publicPath(productPath(product)),
      price: toPesosText(product.price),
      priceCurrency: 'MXN',
      priceSpecification: product.priceBefore ? priceBeforeData(product.priceBefore) : undefined,
      availability: `https://schema.org/${isShopClosed || product.left === 0 ? 'OutOfStock' : 'InStock'}`,
    },
  }));
  const [first, second] = variants;
  const group = first?.variant &&
    second && {
      '@type': 'ProductGroup',
      name: textIn(first.variant.groupName, locale),
      description: textIn(first.description, locale),
      url: publicUrl + publicPath(productPath(first)),
      productGroupID: groupIdOf(first),
      variesBy: attribute ? `https://schema.org/${attribute}` : undefined,
      hasVariant: products,
    };
  const data = [
    { '@context': 'https://schema.org', ...(group ?? products[0]) },
    {
      '@context': 'https://schema.org',
      '@type': 'BreadcrumbList',
      itemListElement: breadcrumb.map(({ label, href }, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: label,
        item: publicUrl + href,
      })),
    },
  ];
  // `</script>` in a text would end the data block.
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}
