import type { Request, RequestHandler } from 'express';
import type { LimitName } from '../../checkout/observer.js';
import { ShopError } from '../../core/shop-error.js';
import type { Limit } from '../../store/limits.js';
import { flowServices } from '../request-context.js';
import type { WebServices } from '../services.js';

const TEN_MINUTES_S = 600;
/** A shopper needs a handful of tries; many share one address behind a mobile network; a shop has busy hours. */
const PAYMENT_LIMITS: readonly Counted[] = [
  { name: 'cart', most: 20, seconds: TEN_MINUTES_S, keyOf: (req) => req.session.cartId ?? 'none' },
  { name: 'address', most: 120, seconds: TEN_MINUTES_S, keyOf: addressOf },
  { name: 'all', most: 6_000, seconds: 60, keyOf: () => 'attempts' },
];

/** How often something may be tried by whoever the key names. */
export interface Counted extends Limit {
  readonly name: LimitName;
  readonly keyOf: (req: Request) => string;
}

export function addressOf(req: Request): string {
  return req.ip ?? 'unknown';
}

/**
 * Refuses who tries again and again, to pay if nothing else is said: that is how stolen cards are tested. Counted before
 * the service is called; switched off for load tests.
 */
export function limitAttempts(web: WebServices, limits: readonly Counted[] = PAYMENT_LIMITS): RequestHandler {
  return web.settings.attemptLimits ? limitTries(web, limits) : (_req, _res, next) => next();
}

/** Refuses what is tried more often than any of the limits allows, and says when to come back. */
export function limitTries(web: WebServices, limits: readonly Counted[]): RequestHandler {
  const { checkout } = web;
  const counters = limits.map((limit) => ({ ...limit, counter: checkout.db.limiter(limit) }));
  return async (req, res, next) => {
    const waits = await Promise.all(
      counters.map(async ({ name, keyOf, counter }) => ({ name, seconds: await counter.count(keyOf(req)) })),
    );
    const passed = waits.filter(({ seconds }) => seconds !== undefined);
    if (passed.length === 0) {
      next();
      return;
    }
    for (const { name } of passed) checkout.observer.limitPassed(name);
    flowServices(web, res).log.warn('too_many_attempts', { where: passed.map(({ name }) => name).join(' ') });
    res.set('Retry-After', String(Math.max(...passed.map(({ seconds = 0 }) => seconds))));
    next(new ShopError('too_many_attempts'));
  };
}
