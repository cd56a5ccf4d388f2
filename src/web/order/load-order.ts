import { redirectToClean } from '@tianguis/payments';
import { findByToken } from '@tianguis/payments/rules';
import type { Request, RequestHandler, Response } from 'express';
import { ShopError } from '../../shop/rules/shop-error.js';
import { findOrder, findOrderByToken, type Order } from '../../tables/orders.js';
import { contextOf, localsOf, logOrderNumber } from '../request-context.js';
import { ownsOrder } from '../session.js';

/**
 * Middleware of routes with `:token`: loads the order of the token for {@link loadedOrder}. Throws `not_found`. The former link of
 * an order redirects the sessions that own it to the present one. For others it throws `link_replaced`. A link that was cut
 * or extended redirects GET to its clean address.
 */
export const loadOrder: RequestHandler = async (req, res, next) => {
  const typed = String(req.params['token']);
  const context = contextOf(res);
  const { queries } = context.checkout.db;
  const order = await findByToken(typed, (token) => findOrderByToken(queries, token));
  if (!order) {
    const findId = context.findIdByFormerToken;
    return leaveFormerLink(req, res, findId && (await findByToken(typed, (token) => findId(queries, token))));
  }
  logOrderNumber(res, order);
  if (redirectToClean(res, order.token)) return;
  localsOf(res).order = order;
  next();
};

async function leaveFormerLink(req: Request, res: Response, orderId: string | undefined): Promise<void> {
  const order = orderId === undefined ? undefined : await findOrder(contextOf(res).checkout.db.queries, orderId);
  if (!order) throw new ShopError('not_found');
  if (!ownsOrder(res, order)) throw new ShopError('link_replaced');
  // A form is posted again, so that nothing typed is lost.
  res.redirect(307, req.url.replace(String(req.params['token']), order.token));
}

/** Returns the order of the path as `loadOrder` read it. Throws on a route without `loadOrder`. */
export function loadedOrder(res: Response): Order {
  const { order } = localsOf(res);
  if (!order) throw new Error('the route has no loadOrder');
  return order;
}
