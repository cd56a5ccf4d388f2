import type { RequestHandler, Response } from 'express';
import { isDatabaseError } from '../database/database-error.js';
import { findOrderByToken, type Order } from '../db/orders.js';
import { errorName } from '../domain/error-name.js';
import { isOrderToken } from '../domain/ids.js';
import { ShopError } from '../domain/shop-error.js';
import { contextOf, localsOf, logOrderNumber } from './request-context.js';

/** Middleware of routes with `:token`: loads the order of the token for {@link loadedOrder}. Throws `not_found`. */
export const loadOrder: RequestHandler = async (req, res, next) => {
  const token = String(req.params['token']);
  const { queries } = contextOf(res).checkout.db;
  const order = isOrderToken(token) ? await findOrderByToken(queries, token) : undefined;
  if (!order) throw new ShopError('not_found');
  logOrderNumber(res, order);
  localsOf(res).order = order;
  next();
};

/** Returns the order of the path as `loadOrder` read it. Throws on a route without `loadOrder`. */
export function loadedOrder(res: Response): Order {
  const { order } = localsOf(res);
  if (!order) throw new Error('the route has no loadOrder');
  return order;
}

/**
 * Runs work that settles an order. Logs a database error and returns `undefined`; other errors are thrown.
 * The caller then shows the stored order. The page refreshes itself, and the worker settles the order later.
 */
export async function unlessDatabaseFails<T>(
  res: Response,
  order: Order,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    contextOf(res).checkout.log.error('order.settle_failed', {
      order: order.number,
      reason: errorName(error),
    });
    return undefined;
  }
}
