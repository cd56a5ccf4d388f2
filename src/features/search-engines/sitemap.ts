import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { localePath } from '../../web/locale-path.js';
import { adminPaths, contentPagePath, paths, productPath } from '../../web/paths.js';
import { iconsOf } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import type { Route } from '../../web/route.js';
import { sendCompressedXml } from '../../web/static-files.js';
import type { WebContext } from '../../web/web-context.js';
import { searchEnginesPaths } from './paths.js';
import { findVisibleSlugs } from './repository.js';

/** Addresses that the sitemap protocol allows in one file. */
const MAX_ADDRESSES = 50_000;

/** A hidden product stays in it for this time. */
const TTL_MS = 600_000;

/** Pages that are written at once. Other requests run between two parts. */
const PART_SIZE = 1_000;

/** Files by path as gzip. */
type Sitemap = ReadonlyMap<string, Buffer>;

/** The routes `GET /robots.txt`, `GET /sitemap.xml` with all public pages, and `GET /favicon.ico`. */
export function searchEngineRoutes(web: WebContext): readonly Route[] {
  // Concurrent requests share one build.
  const cache = new LRUCache<'sitemap', Sitemap>({
    max: 1,
    ttl: TTL_MS,
    perf: web.checkout.clock,
    fetchMethod: () => buildSitemap(web),
  });
  const sendSitemap: RequestHandler = async (req, res, next) => {
    const file = (await cache.forceFetch('sitemap')).get(req.path);
    if (file) await sendCompressedXml(req, res, file);
    else next();
  };
  return [
    { get: searchEnginesPaths.robots, handler: sendRobots },
    { get: searchEnginesPaths.sitemap, handler: sendSitemap },
    { get: searchEnginesPaths.sitemapPart, handler: sendSitemap },
    { get: searchEnginesPaths.favicon, handler: redirectToIcon },
  ];
}

/** Pages of orders have `noindex`, which a crawler must be able to read. */
function sendRobots(_req: Request, res: Response): void {
  const sitemap = contextOf(res).config.publicUrl + searchEnginesPaths.sitemap;
  const text = `User-agent: *\nDisallow: ${adminPaths.overview}\n\nSitemap: ${sitemap}\n`;
  res.type('text').set('Cache-Control', 'no-cache').send(text);
}

function redirectToIcon(_req: Request, res: Response): void {
  const { assetUrl, brand } = contextOf(res);
  res.redirect(assetUrl(iconsOf(brand).tab));
}

/** Returns one file, or an index and its files where one would have too many addresses. */
async function buildSitemap(web: WebContext): Promise<Sitemap> {
  const { locales, publicUrl } = web.config;
  const pages = await readPages(web);
  const limit = Math.floor(MAX_ADDRESSES / locales.length);
  if (pages.length <= limit) return new Map([[searchEnginesPaths.sitemap, await compress(urlsOf(web.config, pages))]]);
  const files = new Map<string, Buffer>();
  for (let start = 0; start < pages.length; start += limit) {
    const path = searchEnginesPaths.sitemapPart.replace(':part', String(files.size + 1));
    files.set(path, await compress(urlsOf(web.config, pages.slice(start, start + limit))));
  }
  const listed = Array.from(files.keys(), (path) => `<sitemap><loc>${publicUrl}${path}</loc></sitemap>\n`);
  const index = [`${XML}<sitemapindex ${NAMESPACE}>\n`, ...listed, '</sitemapindex>\n'];
  return files.set(searchEnginesPaths.sitemap, await compress(index));
}

/** Returns the paths of all public pages in the first locale. */
async function readPages({ config, checkout, settings }: WebContext): Promise<readonly string[]> {
  const content = [...settings.current().contentIn(config.locales[0]).keys()].map(contentPagePath);
  const slugs = await findVisibleSlugs(checkout.db.queries);
  return [paths.home, ...content, ...slugs.map((slug) => productPath({ slug }))];
}

function compress(xml: Iterable<string>): Promise<Buffer> {
  return pipeline(xml, createGzip(), (compressed: AsyncIterable<Buffer>) => buffer(compressed));
}

interface Address {
  readonly lang: string;
  readonly href: string;
}

function addressesOf({ locales, publicUrl }: WebContext['config'], path: string): readonly Address[] {
  return locales.map((locale) => ({ lang: locale, href: publicUrl + localePath(locales, locale, path) }));
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Yields a file in parts. Each page lists its addresses in all locales. Slugs hold no character that XML escapes. */
function* urlsOf(config: WebContext['config'], pages: readonly string[]): Generator<string> {
  yield `${XML}<urlset ${NAMESPACE} xmlns:xhtml="http://www.w3.org/1999/xhtml">\n`;
  for (let start = 0; start < pages.length; start += PART_SIZE)
    yield pages
      .slice(start, start + PART_SIZE)
      .map((path) => urlOf(addressesOf(config, path)))
      .join('');
  yield '</urlset>\n';
}

function urlOf(addresses: readonly Address[]): string {
  const links = (addresses.length > 1 ? addresses : []).map(
    ({ lang, href }) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${href}"/>`,
  );
  return addresses.map(({ href }) => `<url><loc>${href}</loc>${links.join('')}</url>\n`).join('');
}
