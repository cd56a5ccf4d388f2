import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { CurrentShop } from '../../settings/current-shop.js';
import type { Locale } from '../../shop/rules/locale.js';
import { isClosed } from '../../shop/rules/shop-settings.js';
import { localePath } from '../../web/locale-path.js';
import { paths } from '../../web/paths.js';
import type { WebContext } from '../../web/web-context.js';
import { type FeedOptions, feedItem, fitsFeed } from './feed-item.js';
import { readVisibleProducts } from './repository.js';
import { element } from './xml.js';

export interface FeedInput {
  readonly web: WebContext;
  readonly shop: CurrentShop;
  readonly locale: Locale;
  readonly at: number;
}

/** Returns the feed as gzip. Memory holds the compressed feed and one batch of products. */
export function buildFeed(input: FeedInput): Promise<Buffer> {
  return pipeline(feedOf(input), createGzip(), (compressed: AsyncIterable<Buffer>) => buffer(compressed));
}

async function* feedOf({ web, shop, locale, at }: FeedInput): AsyncGenerator<string> {
  const { config, checkout, assetUrl } = web;
  const { locales, publicUrl } = config;
  const options: FeedOptions = {
    locale,
    locales,
    publicUrl,
    assetUrl,
    brandName: shop.brand.name,
    isClosed: isClosed(shop, at),
    hasNoIdentifiers: shop.configChanges.hasNoIdentifiers ?? checkout.config.hasNoIdentifiers,
    shipping: shop.shipping,
  };
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>';
  yield element('title', shop.brand.name);
  yield element('link', publicUrl + localePath(locales, locale, paths.home));
  yield element('description', shop.translations.in(locale)('brand.tagline'));
  for await (const products of readVisibleProducts(checkout.db.queries, at))
    yield products
      .filter(fitsFeed)
      .map((each) => `\n${feedItem(each, options)}`)
      .join('');
  yield '\n</channel>\n</rss>\n';
}
