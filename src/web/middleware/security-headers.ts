import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { WebSettings } from '../services.js';

/** What a page may reach beyond the shop. */
interface Reach {
  readonly formsLeadTo: readonly string[];
  readonly scriptsAsk: readonly string[];
}

/**
 * Headers for every answer. No inline code anywhere. The checkout forms may end at the hosted page and at any bank,
 * whose address nobody knows beforehand: Chromium holds `form-action` against each redirect of the chain.
 */
export function securityHeaders(settings: WebSettings): RequestHandler {
  const secure = settings.publicUrl.startsWith('https:');
  const plain = policy({ formsLeadTo: [], scriptsAsk: [] });
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: plain },
    strictTransportSecurity: secure ? { maxAge: 31_536_000 } : false,
    // Keeps order links from other sites, and keeps the Origin of our own forms readable.
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
}

/** Widens the policy for a page whose form leads to the payment service, and whose scripts ask these origins. */
export function checkoutPolicy(settings: WebSettings, scriptsAsk: readonly string[]): RequestHandler {
  const loopback = settings.production ? [] : ['http://localhost:*', 'http://127.0.0.1:*'];
  const directives = policy({ formsLeadTo: ['https:', ...settings.pageOrigins, ...loopback], scriptsAsk });
  return helmet.contentSecurityPolicy({ useDefaults: false, directives });
}

function policy({ formsLeadTo, scriptsAsk }: Reach): Record<string, string[]> {
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'"],
    'connect-src': ["'self'", ...scriptsAsk],
    'form-action': ["'self'", ...formsLeadTo],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
}

/** For pages that hold a cart, an order or an error: kept by no cache and not shown again by Back. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};
