import type { RequestHandler } from 'express';
import { ShopError } from '../../core/shop-error.js';
import type { WebServices } from '../services.js';

const TEN_MINUTES_S = 600;
/** A shopper needs a handful of tries; many share one address behind a mobile network; a shop has busy hours. */
const BY_CART = { name: 'cart', most: 20, seconds: TEN_MINUTES_S } as const;
const BY_ADDRESS = { name: 'address', most: 120, seconds: TEN_MINUTES_S } as const;
const IN_ALL = { name: 'all', most: 6_000, seconds: 60 } as const;

/** Refuses who tries to pay again and again: that is how stolen cards are tested. Counted before the service is called. */
export function limitAttempts({ checkout, settings }: WebServices): RequestHandler {
  const { limiter } = checkout.db;
  const byCart = limiter(BY_CART);
  const byAddress = limiter(BY_ADDRESS);
  const inAll = limiter(IN_ALL);
  return async (req, res, next) => {
    if (!settings.attemptLimits) {
      next();
      return;
    }
    const waits = await Promise.all([
      byCart.count(req.session.cartId ?? 'none'),
      byAddress.count(req.ip ?? 'unknown'),
      inAll.count('attempts'),
    ]);
    const wait = Math.max(0, ...waits.filter((seconds) => seconds !== undefined));
    if (wait === 0) {
      next();
      return;
    }
    checkout.log.warn('too_many_attempts', {
      where: ['cart', 'address', 'all'].filter((_, i) => waits[i]).join(' '),
    });
    res.set('Retry-After', String(wait));
    next(new ShopError('too_many_attempts'));
  };
}
