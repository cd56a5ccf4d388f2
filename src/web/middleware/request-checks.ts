/** Checks of requests before their routes, and of the secrets that they send. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { PAYMENTS_TEXT } from '../../shop/payments-version.js';
import { DOCTOR_HEADERS } from '../../shop/rules/doctor.js';
import { localPath } from '../../shop/rules/local-path.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { clientOf } from '../client-address.js';
import type { WebContext } from '../web-context.js';

/**
 * Logs a warning once if a request has `X-Forwarded-For` and `TRUST_PROXY` is 0.
 * All customers then have the address of the proxy and share its rate limits.
 */
export function warnUntrustedProxy({ checkout, config }: WebContext): RequestHandler {
  let warned = config.trustProxy > 0;
  return (req, _res, next) => {
    if (!warned && req.headers['x-forwarded-for'] !== undefined) {
      warned = true;
      checkout.log.warn('proxy.header_ignored');
    }
    next();
  };
}

/** Returns to `npm run doctor`, which has the secret of the shop, which payments run, what the proxy sent and how limits name the client. */
export function showToDoctor({ secrets }: WebContext): RequestHandler {
  const key = createHmac('sha256', secrets.sessionSecrets[0]).update(DOCTOR_HEADERS.key).digest('base64url');
  return (req, res, next) => {
    const given = req.get(DOCTOR_HEADERS.key);
    if (given !== undefined && isSameSecret(given, key)) {
      const forwarded = req.headers['x-forwarded-for'];
      if (forwarded !== undefined) res.set(DOCTOR_HEADERS.forwarded, encodeURIComponent(String(forwarded)));
      res.set(DOCTOR_HEADERS.client, clientOf(req).addressKey);
      res.set(DOCTOR_HEADERS.payments, PAYMENTS_TEXT);
    }
    next();
  };
}

const MAX_HEADERS = 100;

/**
 * Refuses requests that Node accepts and that a proxy may read differently.
 * Answers 400 for two `Host` headers, of which Node uses the first. Answers 431 for more than 100 headers.
 * Node itself answers 431 above its limit in bytes.
 */
export const refuseMalformed: RequestHandler = ({ rawHeaders }, res, next) => {
  // `rawHeaders` alternates names and values.
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && text.length === 4 && /^host$/i.test(text));
  const isTooLong = rawHeaders.length > MAX_HEADERS * 2;
  if (!isTooLong && hosts.length <= 1) return next();
  const status = isTooLong ? 431 : 400;
  res.status(status).set({ 'Cache-Control': 'no-store', Connection: 'close' });
  res.type('text').send(`${STATUS_CODES[status]}\n`);
};

/** Redirects `GET /products/mug/` to `/products/mug`, so that each page has one address. */
export const redirectTrailingSlash: RequestHandler = (req, res, next) => {
  const [path = '', query = ''] = req.originalUrl.split(/(?=\?)/, 2);
  if (!['GET', 'HEAD'].includes(req.method) || !path.endsWith('/') || path === '/') return next();
  const target = localPath(path.replace(/\/+$/, '') + query);
  if (target === '/') return next();
  res.redirect(301, target);
};

/**
 * CSRF protection: throws `cross_site` for unsafe methods from another site.
 * Checks `Sec-Fetch-Site`, or `Origin` if that header is missing. A request without both is not sent by a browser, so it
 * carries no cookies of a customer.
 */
export function refuseCrossSite(publicUrl: string): RequestHandler {
  return (req, _res, next) => {
    const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(req.method);
    if (isSafe || isSameOrigin(req, publicUrl)) return next();
    next(new ShopError('cross_site'));
  };
}

function isSameOrigin(req: Request, publicUrl: string): boolean {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return req.headers.origin === undefined || req.headers.origin === publicUrl;
}

/** Compares two secrets in constant time. */
export function isSameSecret(given: string, secret: string): boolean {
  // `timingSafeEqual` requires equal lengths.
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
