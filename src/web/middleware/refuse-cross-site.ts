import type { Request, RequestHandler } from 'express';
import { ShopError } from '../../core/shop-error.js';

/**
 * Refuses posts that another site made a browser send. The browser's own word comes first, the Origin second; what
 * sends neither is no browser and holds no visitor's cookies.
 */
export function refuseCrossSite(publicUrl: string): RequestHandler {
  return (req, _res, next) => {
    const safe = req.method === 'GET' || req.method === 'HEAD' || req.method === 'OPTIONS';
    if (safe || isSameOrigin(req, publicUrl)) {
      next();
      return;
    }
    next(new ShopError('cross_site'));
  };
}

function isSameOrigin(req: Request, publicUrl: string): boolean {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return req.headers.origin === undefined || req.headers.origin === publicUrl;
}
