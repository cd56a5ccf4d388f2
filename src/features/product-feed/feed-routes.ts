import type { IRouter } from 'express';
import { LRUCache } from 'lru-cache';
import { isClosed } from '../../shop/rules/shop-settings.js';
import type { WebContext } from '../../web/context.js';
import { sendCompressedXml } from '../../web/static-files.js';
import { buildFeed, type FeedInput } from './build-feed.js';
import { feedPath } from './paths.js';

/** A change of a product or its stock is in the feed after this time, one of the settings at once. */
const TTL_MS = 60_000;

/** Adds the feed of each locale. Concurrent requests share one build, which is kept compressed. */
export function addFeedRoutes(app: IRouter, web: WebContext): void {
  const { locales } = web.config;
  const { clock } = web.checkout;
  const cache = new LRUCache<string, Buffer, FeedInput>({
    max: locales.length,
    ttl: TTL_MS,
    perf: clock,
    fetchMethod: (_key, _stale, { context }) => buildFeed(context),
  });
  for (const locale of locales)
    app.get(feedPath(locales, locale), async (req, res) => {
      const shop = web.settings.current();
      const at = clock.now();
      const context = { web, shop, locale, at };
      const key = `${locale} ${shop.settingsVersion} ${isClosed(shop, at)}`;
      res.set('Content-Language', locale);
      await sendCompressedXml(req, res, await cache.forceFetch(key, { context }));
    });
}
