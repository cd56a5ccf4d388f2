import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../../config/config.js';

/** Sets the security headers of every response. The Content-Security-Policy allows no inline code. */
export function securityHeaders(config: Pick<Config, 'publicUrl' | 'hstsIncludeSubdomains'>): RequestHandler {
  const secure = config.publicUrl.startsWith('https:');
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: cspDirectives([], []) },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: config.hstsIncludeSubdomains } : false,
    // Hides order links from other sites. Forms of the shop still send `Origin`, which `refuseCrossSite` reads.
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
}

/**
 * Extends the Content-Security-Policy for checkout pages. `connect` lists origins that scripts may call.
 * `form-action` allows any HTTPS origin. Chromium checks it for each redirect, and the origins of banks are unknown.
 */
export function checkoutCsp(
  config: Pick<Config, 'production' | 'payments'>,
  connect: readonly string[],
): RequestHandler {
  const loopback = config.production ? [] : ['http://localhost:*', 'http://127.0.0.1:*'];
  const directives = cspDirectives(['https:', ...config.payments.pageOrigins, ...loopback], connect);
  return helmet.contentSecurityPolicy({ useDefaults: false, directives });
}

/** `formAction` and `connect` are the origins outside the shop that a page may use. */
function cspDirectives(formAction: readonly string[], connect: readonly string[]): Record<string, string[]> {
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'"],
    'connect-src': ["'self'", ...connect],
    'form-action': ["'self'", ...formAction],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
}

/** Prevents caching of pages with personal data. Browsers also request them again after Back. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};
