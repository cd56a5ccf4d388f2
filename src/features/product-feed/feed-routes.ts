import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { isClosed } from '../../shop/rules/shop-settings.js';
import { contextOf } from '../../web/request-context.js';
import type { Route } from '../../web/route.js';
import { sendCompressedXml } from '../../web/static-files.js';
import type { WebContext } from '../../web/web-context.js';
import { buildFeed, type FeedInput } from './build-feed.js';
import { feedPath } from './paths.js';

/** A change of a product or its stock is in the feed after this time, one of the settings at once. */
const TTL_MS = 60_000;

/** The feed of each locale. Concurrent requests share one build, which is kept compressed. */
export function feedRoutes(web: WebContext): readonly Route[] {
  const { locales } = web.config;
  const { clock } = web.checkout;
  const cache = new LRUCache<string, Buffer, FeedInput>({
    max: locales.length,
    ttl: TTL_MS,
    perf: clock,
    fetchMethod: (_key, _stale, { context }) => buildFeed(context),
  });
  return locales.map((locale) => ({
    get: feedPath(locales, locale),
    async handler(req, res) {
      const shop = web.settings.current();
      const at = clock.now();
      const context = { web, shop, locale, at };
      const key = `${locale} ${shop.settingsVersion} ${isClosed(shop, at)}`;
      res.set('Content-Language', locale);
      await sendCompressedXml(req, res, await cache.forceFetch(key, { context }));
    },
  }));
}

/** Redirects to the feed of the first locale. */
export function redirectToFeed(_req: Request, res: Response): void {
  const { locales } = contextOf(res).config;
  res.redirect(303, feedPath(locales, locales[0]));
}
