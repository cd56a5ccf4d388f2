import type { Locale } from '../../shop/rules/locale.js';
import { localePath } from '../../web/locale-path.js';
import { paths } from '../../web/paths.js';

export const productFeedPaths = { link: '/admin/product-feed' } as const;

/** Returns the path of the feed: at the root in the first locale, below the language in every other one. */
export function feedPath(locales: readonly [Locale, ...Locale[]], locale: Locale): string {
  return `${localePath(locales, locale, paths.home).replace(/\/$/, '')}/feeds/products.xml`;
}
