import type { RequestHandler } from 'express';
import type { WebContext } from '../context.js';

/**
 * Logs a warning once if a request has `X-Forwarded-For` and `TRUST_PROXY` is 0.
 * All customers then have the address of the proxy and share its rate limits.
 */
export function warnUntrustedProxy({ checkout, settings }: WebContext): RequestHandler {
  let warned = settings.trustProxy > 0;
  return (req, _res, next) => {
    if (!warned && req.headers['x-forwarded-for'] !== undefined) {
      warned = true;
      checkout.log.warn('proxy.header_ignored');
    }
    next();
  };
}
