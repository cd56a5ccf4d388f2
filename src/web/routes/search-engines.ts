import type { IRouter } from 'express';
import { findVisibleSlugs } from '../../db/products.js';
import type { WebContext } from '../context.js';
import { localePath } from '../locale-path.js';
import { adminPaths, contentPagePath, paths, productPath } from '../paths.js';
import { contextOf } from '../request-context.js';

/** Addresses that the sitemap protocol allows in one file. */
const MAX_ADDRESSES = 50_000;

/** Adds `GET /robots.txt`, `GET /sitemap.xml` with all public pages, and `GET /favicon.ico`. */
export function addSearchEngineRoutes(app: IRouter, { config, assetUrl }: WebContext): void {
  const { publicUrl, locales } = config;
  app.get(paths.robots, (_req, res) => {
    // Pages of orders have `noindex`, which a crawler must be able to read.
    res.type('text').send(`User-agent: *\nDisallow: ${adminPaths.overview}\n\nSitemap: ${publicUrl}${paths.sitemap}\n`);
  });
  app.get(paths.sitemap, async (_req, res) => {
    const { checkout, contentIn } = contextOf(res);
    const content = [...contentIn(locales[0]).keys()].map(contentPagePath);
    const limit = Math.floor(MAX_ADDRESSES / locales.length) - content.length - 1;
    const slugs = await findVisibleSlugs(checkout.db.queries, limit);
    const pages = [paths.home, ...content, ...slugs.map((slug) => productPath({ slug }))];
    res.type('application/xml').send(sitemap(pages.map((path) => addressesOf(config, path))));
  });
  app.get(paths.favicon, (_req, res) => res.redirect(assetUrl('/favicon.svg')));
}

interface Address {
  readonly lang: string;
  readonly href: string;
}

function addressesOf({ locales, publicUrl }: WebContext['config'], path: string): readonly Address[] {
  return locales.map((locale) => ({ lang: locale, href: publicUrl + localePath(locales, locale, path) }));
}

/** Returns the sitemap. Each page lists its addresses in all locales. Slugs hold no character that XML escapes. */
function sitemap(pages: readonly (readonly Address[])[]): string {
  const urls = pages.flatMap((addresses) => {
    const links = (addresses.length > 1 ? addresses : []).map(
      ({ lang, href }) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${href}"/>`,
    );
    return addresses.map(({ href }) => `<url><loc>${href}</loc>${links.join('')}</url>`);
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}
