import type { RequestHandler, Response } from 'express';
import { clientOf } from '../../web/client-address.js';
import { limiterOf, limitRate, tooManyAttempts } from '../../web/middleware/rate-limit.js';
import { loadedOrder } from '../../web/order/load-order.js';
import { ownsOrder } from '../../web/session.js';
import type { WebContext } from '../../web/web-context.js';

const TEN_MINUTES_S = 600;
/** Posts to links of orders, which must exist. */
const ADDRESS_LIMIT = { name: 'address', max: 120, seconds: TEN_MINUTES_S, keyOf: clientOf } as const;
/** Valid posts to the link of one order. Each may look up its payments at the gateway. */
const ORDER_LIMIT = { name: 'order', max: 60, seconds: TEN_MINUTES_S } as const;

/** Limits of posts to payment links. Both throw `too_many_attempts`. */
export interface PostLimits {
  /** Middleware: counts each post for its client, and refuses those for an order that had too many. */
  readonly refuse: RequestHandler;
  /** Counts a valid post for the loaded order. */
  readonly count: (res: Response) => Promise<void>;
}

/** The sessions that own an order have a count of their own. Other persons with its link cannot use it up. */
export function createPostLimits(web: WebContext): PostLimits {
  const limiter = limiterOf(web, ORDER_LIMIT);
  const limitOrder = async (use: 'peek' | 'count', res: Response) => {
    const order = loadedOrder(res);
    const seconds = await limiter[use](ownsOrder(res, order) ? `own ${order.id}` : order.id);
    if (seconds !== undefined) throw tooManyAttempts(res, ORDER_LIMIT.name, seconds);
  };
  const limitAddress = limitRate(web, [ADDRESS_LIMIT]);
  return {
    async refuse(req, res, next) {
      await limitOrder('peek', res);
      await limitAddress(req, res, next);
    },
    count: (res) => limitOrder('count', res),
  };
}
