import type { RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { WebContext } from '../web-context.js';

/** A page as it was sent, with `Content-Encoding` if it was compressed. */
interface CachedPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const TTL_MS = 2_000;
const MAX_PAGES = 200;
/** Headers that are stored with the page. All other headers are set for each response. */
const PAGE_HEADERS = ['Cache-Control', 'Content-Encoding', 'Content-Type', 'ETag', 'Vary'];

/**
 * Caches pages for requests without a cookie: 2 s TTL, keyed by URL, `Accept-Encoding` and version of the settings.
 * Stores only 200 responses without `Set-Cookie` and without `no-store`.
 * Mounted before compression, so that a page is compressed once per entry.
 */
export function pageCache({ settings }: Pick<WebContext, 'settings'>): RequestHandler {
  const cache = new LRUCache<string, CachedPage>({ max: MAX_PAGES, ttl: TTL_MS });
  return (req, res, next) => {
    if (req.method !== 'GET' || req.headers.cookie !== undefined) return next();
    const key = `${settings.current().settingsVersion}\n${req.originalUrl}\n${req.headers['accept-encoding']}`;
    const hit = cache.get(key);
    if (hit) {
      res.set(hit.headers).send(hit.body);
      return;
    }
    onPageSent(res, (page) => cache.set(key, page));
    next();
  };
}

/** Copies the body while it is written. Calls `store` at the end if the page may be cached. */
function onPageSent(res: Response, store: (page: CachedPage) => void): void {
  const chunks: Buffer[] = [];
  const copy = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const write = res.write.bind(res) as (...args: unknown[]) => boolean;
  const end = res.end.bind(res) as (...args: unknown[]) => Response;
  res.write = (...args: unknown[]) => {
    copy(args[0]);
    return write(...args);
  };
  res.end = (...args: unknown[]) => {
    copy(args[0]);
    const isPrivate = res.hasHeader('Set-Cookie') || String(res.getHeader('Cache-Control')).includes('no-store');
    if (res.statusCode === 200 && !isPrivate) {
      const names = PAGE_HEADERS.filter((name) => res.hasHeader(name));
      const headers = Object.fromEntries(names.map((name) => [name, String(res.getHeader(name))]));
      store({ headers, body: Buffer.concat(chunks) });
    }
    return end(...args);
  };
}
