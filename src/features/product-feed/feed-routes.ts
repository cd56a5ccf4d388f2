import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { IRouter, Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { isClosed } from '../../shop/rules/shop-settings.js';
import type { WebContext } from '../../web/context.js';
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
      await sendFeed(req, res, await cache.forceFetch(key, { context }));
    });
}

async function sendFeed(req: Request, res: Response, compressed: Buffer): Promise<void> {
  res.type('application/xml').vary('Accept-Encoding');
  if (req.acceptsEncodings('gzip') === 'gzip') {
    res.set('Content-Encoding', 'gzip').send(compressed);
    return;
  }
  await pipeline(Readable.from([compressed]), createGunzip(), res).catch(unlessClosed);
}

/** A client that closes the connection is no fault. */
function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}
