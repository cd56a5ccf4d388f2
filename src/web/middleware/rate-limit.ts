import type { Limit } from '@tianguis/payments/database';
import type { RequestHandler, Response } from 'express';
import { ShopError } from '../../shop/rules/shop-error.js';
import type { ClientLimiter } from '../../tables/client-limits.js';
import { clientOf } from '../client-address.js';
import { contextOf } from '../request-context.js';
import type { KeyedLimit } from '../route.js';
import type { LimitingContext } from '../services.js';
import type { WebContext } from '../web-context.js';

const TEN_MINUTES_S = 600;
/**
 * The limit by client is higher, because many customers of a mobile network share one address.
 */
const PAYMENT_LIMITS: readonly KeyedLimit[] = [
  { name: 'cart', max: 20, seconds: TEN_MINUTES_S, keyOf: (req) => req.session.cartId },
  { name: 'address', max: 120, seconds: TEN_MINUTES_S, keyOf: clientOf },
];
/**
 * Limits payment attempts by cart and by client, against tests of stolen cards. Throws `too_many_attempts`.
 * The narrowest of `limits` must be the first. A refused request is not counted by the limits after it.
 * `RATE_LIMIT=off` removes the limits.
 */
export function limitRate(web: WebContext, limits: readonly KeyedLimit[] = PAYMENT_LIMITS): RequestHandler {
  if (!web.config.rateLimit) return (_req, _res, next) => next();
  const counters = limits.map((limit) => ({ ...limit, counter: web.checkout.db.limiter(limit) }));
  return async (req, res, next) => {
    for (const { name, keyOf, counter } of counters) {
      const key = keyOf(req);
      const seconds = key === undefined ? undefined : await counter.count(key);
      if (seconds !== undefined) throw tooManyAttempts(res, name, seconds);
    }
    next();
  };
}

const nothing = () => Promise.resolve(undefined);
const UNLIMITED: ClientLimiter = {
  count: nothing,
  peek: nothing,
  used: async () => 0,
  uncount: nothing,
  reset: nothing,
};

/** Returns the limiter of a shared resource, to be counted just before its use. `RATE_LIMIT=off` removes the limit. */
export function limiterOf({ config, checkout }: LimitingContext, limit: Limit): ClientLimiter {
  return config.rateLimit ? checkout.db.limiter(limit) : UNLIMITED;
}

/** Counts and logs a refusal, sets `Retry-After` and returns the error to throw. */
export function tooManyAttempts(res: Response, name: string, seconds: number): ShopError {
  reportLimit(res, name, seconds);
  return new ShopError('too_many_attempts');
}

/** Counts and logs a refusal, and sets `Retry-After`. */
export function reportLimit(res: Response, name: string, seconds: number): void {
  const { observer, log } = contextOf(res).checkout;
  observer.limitReached(name);
  log.warn('rate_limit.exceeded', { limit: name });
  res.set('Retry-After', String(seconds));
}
