import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { IRouter, Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { WebContext } from '../../web/context.js';
import { localePath } from '../../web/locale-path.js';
import { adminPaths, contentPagePath, paths, productPath } from '../../web/paths.js';
import { searchEnginesPaths } from './paths.js';
import { findVisibleSlugs } from './repository.js';

/** Addresses that the sitemap protocol allows in one file. */
const MAX_ADDRESSES = 50_000;

/** A sitemap of 25,000 products takes 300 ms. A hidden product stays in it for this time. */
const TTL_MS = 600_000;
const compress = promisify(gzip);

interface Sitemap {
  readonly xml: Buffer;
  readonly compressed: Buffer;
}

/** Adds `GET /robots.txt`, `GET /sitemap.xml` with all public pages, and `GET /favicon.ico`. */
export function addSearchEngineRoutes(app: IRouter, web: WebContext): void {
  const { publicUrl } = web.config;
  app.get(searchEnginesPaths.robots, (_req, res) => {
    // Pages of orders have `noindex`, which a crawler must be able to read.
    res
      .type('text')
      .send(`User-agent: *\nDisallow: ${adminPaths.overview}\n\nSitemap: ${publicUrl}${searchEnginesPaths.sitemap}\n`);
  });
  // Concurrent requests share one build.
  const cache = new LRUCache<'sitemap', Sitemap>({
    max: 1,
    ttl: TTL_MS,
    perf: web.checkout.clock,
    fetchMethod: () => buildSitemap(web),
  });
  app.get(searchEnginesPaths.sitemap, async (req, res) => sendSitemap(req, res, await cache.forceFetch('sitemap')));
  app.get(searchEnginesPaths.favicon, (_req, res) => res.redirect(web.assetUrl('/favicon.svg')));
}

async function buildSitemap({ config, checkout, settings }: WebContext): Promise<Sitemap> {
  const { locales } = config;
  const content = [...settings.current().contentIn(locales[0]).keys()].map(contentPagePath);
  const limit = Math.floor(MAX_ADDRESSES / locales.length) - content.length - 1;
  const slugs = await findVisibleSlugs(checkout.db.queries, limit);
  const pages = [paths.home, ...content, ...slugs.map((slug) => productPath({ slug }))];
  const xml = Buffer.from(sitemapOf(pages.map((path) => addressesOf(config, path))));
  return { xml, compressed: await compress(xml) };
}

function sendSitemap(req: Request, res: Response, { xml, compressed }: Sitemap): void {
  res.type('application/xml').vary('Accept-Encoding');
  if (req.acceptsEncodings('gzip') === 'gzip') res.set('Content-Encoding', 'gzip').send(compressed);
  else res.send(xml);
}

interface Address {
  readonly lang: string;
  readonly href: string;
}

function addressesOf({ locales, publicUrl }: WebContext['config'], path: string): readonly Address[] {
  return locales.map((locale) => ({ lang: locale, href: publicUrl + localePath(locales, locale, path) }));
}

/** Returns the sitemap. Each page lists its addresses in all locales. Slugs hold no character that XML escapes. */
function sitemapOf(pages: readonly (readonly Address[])[]): string {
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
