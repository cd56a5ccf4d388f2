import type { Request, RequestHandler } from 'express';
import { ShopError } from '../../domain/shop-error.js';

/**
 * CSRF protection: throws `cross_site` for unsafe methods from another site.
 * Checks `Sec-Fetch-Site`, or `Origin` if that header is missing. A request without both is not sent by a browser, so it
 * carries no cookies of a customer.
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
