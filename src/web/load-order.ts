import type { RequestHandler, Response } from 'express';
import { findOrderByToken, type Order } from '../db/orders.js';
import { isOrderToken } from '../payments/rules/index.js';
import { ShopError } from '../shop/rules/shop-error.js';
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
