import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { WebSettings } from '../context.js';

/** Origins outside the shop that a page may use. */
interface Reach {
  readonly formsLeadTo: readonly string[];
  readonly scriptsAsk: readonly string[];
}

/**
 * Sets the security headers of every response. The Content-Security-Policy allows no inline code.
 */
export function securityHeaders(settings: WebSettings): RequestHandler {
  const secure = settings.publicUrl.startsWith('https:');
  const plain = policy({ formsLeadTo: [], scriptsAsk: [] });
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: plain },
    strictTransportSecurity: secure
      ? { maxAge: 31_536_000, includeSubDomains: settings.hstsIncludeSubdomains }
      : false,
    // Hides order links from other sites. Forms of the shop still send `Origin`, which `refuseCrossSite` reads.
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
}

/**
 * Extends the Content-Security-Policy for checkout pages. `scriptsAsk` lists origins that scripts may call.
 * `form-action` allows any HTTPS origin. Chromium checks it for each redirect, and the origins of banks are unknown.
 */
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

/** Prevents caching of pages with personal data. Browsers also request them again after Back. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};
