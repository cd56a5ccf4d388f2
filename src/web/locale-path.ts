/** Addresses of public pages. The first locale of the shop is at the root, every other one below its language: `/en`. */
import type { IRouter, RequestHandler } from 'express';
import type { Locale } from '../shop/rules/locale.js';

type Locales = readonly [Locale, ...Locale[]];

/** Paths of public pages in the first locale. Cart, checkout and orders have one address for all locales. */
const PUBLIC = /^\/+(?:$|\?|products\/|pages\/)/;

/** Returns the path of a page in this locale. `path` is its path in the first locale. */
export function localePath(locales: Locales, locale: Locale, path: string): string {
  if (locale === locales[0] || !PUBLIC.test(path)) return path;
  return `${prefixOf(locale)}${path.replace(/^\/(?=$|\?)/, '')}`;
}

/** Adds `GET` routes of public pages. The path is that in the first locale. */
export interface PublicRouter {
  get(path: string, ...handlers: readonly RequestHandler[]): void;
}

/** Returns a router that adds each route once per locale. */
export function publicRouter(app: IRouter, locales: Locales): PublicRouter {
  return {
    get(path, ...handlers) {
      for (const locale of locales) app.get(localePath(locales, locale, path), ...handlers);
    },
  };
}

/** Returns the locale of a public page by its path. `undefined` if the path decides no locale. */
export function localeOf(locales: Locales, path: string): Locale | undefined {
  const [first, ...others] = locales;
  return others.find((locale) => hasPrefix(path, locale)) ?? (PUBLIC.test(path) ? first : undefined);
}

/** Returns the path of the same page in another locale. Pages that are not public have one path. */
export function translatePath(locales: Locales, locale: Locale, path: string): string {
  const current = locales.slice(1).find((each) => hasPrefix(path, each));
  const plain = current ? path.slice(prefixOf(current).length).replace(/^(?!\/)/, '/') : path;
  return localePath(locales, locale, plain);
}

function prefixOf(locale: Locale): string {
  return `/${locale.replace(/-.*/, '')}`;
}

function hasPrefix(path: string, locale: Locale): boolean {
  const prefix = prefixOf(locale);
  return path.startsWith(prefix) && /^(?:$|[/?])/.test(path.slice(prefix.length));
}
