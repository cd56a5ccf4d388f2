import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { WebSettings } from '../services.js';

type Page = 'plain' | 'checkout' | 'card';

/**
 * Headers for every answer. No inline code anywhere. The checkout forms may end at the hosted page and at any bank,
 * whose address nobody knows beforehand: Chromium holds `form-action` against each redirect of the chain.
 */
export function securityHeaders(settings: WebSettings): RequestHandler {
  const secure = settings.publicUrl.startsWith('https:');
  const plain = policy('plain', settings);
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: plain },
    strictTransportSecurity: secure ? { maxAge: 31_536_000 } : false,
    // Keeps order links from other sites, and keeps the Origin of our own forms readable.
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
}

/** Widens the policy for the pages whose forms lead to the payment service. */
export function checkoutPolicy(settings: WebSettings, page: 'checkout' | 'card'): RequestHandler {
  return helmet.contentSecurityPolicy({ useDefaults: false, directives: policy(page, settings) });
}

function policy(page: Page, settings: WebSettings): Record<string, string[]> {
  const loopback = settings.production ? [] : ['http://localhost:*', 'http://127.0.0.1:*'];
  const onwards = ['https:', ...settings.pageOrigins, ...loopback];
  const vault = new URL(settings.tokenizerUrl).origin;
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'"],
    'connect-src': page === 'card' ? ["'self'", vault] : ["'self'"],
    'form-action': page === 'plain' ? ["'self'"] : ["'self'", ...onwards],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
}

/** For pages that hold a cart, an order or an error: kept by no cache and not shown again by Back. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};
