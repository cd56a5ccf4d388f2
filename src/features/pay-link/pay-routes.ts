/** The pages of an order's payment link. A person needs neither the cart nor the session that placed the order. */
import type { Request, Response } from 'express';
import { changeCartLine } from '../../shop/change-cart.js';
import { cancelOrder } from '../../shop/order-requests.js';
import { MAX_QUANTITY } from '../../shop/rules/cart.js';
import { findOrderLines } from '../../tables/orders.js';
import { findProduct } from '../../tables/products.js';
import { changedCartPath } from '../../web/cart-page.js';
import { postedText } from '../../web/form-body.js';
import { checkoutCsp } from '../../web/middleware/security-headers.js';
import { loadedOrder, loadOrder } from '../../web/order/load-order.js';
import { orderPath } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import type { Route } from '../../web/route.js';
import { ownsOrder, storeCartId } from '../../web/session.js';
import type { WebContext } from '../../web/web-context.js';
import { createPostLimits, type PostLimits } from './limit-posts.js';
import { payLinkPaths } from './paths.js';
import { flowRoutes } from './pay-flow.js';
import { sendLink } from './pay-form.js';

const NOT_WANTED = { reason: 'not_wanted', text: '' } as const;

/** The route `GET /orders/:token/pay`, which writes nothing, and those that pay the order. */
export function payLinkRoutes(web: WebContext): readonly Route[] {
  const limits = createPostLimits(web);
  const origins = web.flows.filter(({ formPath }) => formPath === '').flatMap((flow) => flow.origins(web.config));
  const csp = checkoutCsp(web.config, origins);
  const before = [loadOrder, limits.refuse];
  return [
    { get: payLinkPaths.payLink, before: [csp, loadOrder], handler: (_req, res) => sendLink(res) },
    ...web.flows.flatMap((flow) => flowRoutes(web, flow, limits)),
    { post: payLinkPaths.payLinkCart, before, handler: (req, res) => fillCart(req, res, limits) },
    { post: payLinkPaths.cancelOwnOrder, before, handler: (req, res) => cancel(req, res, limits) },
  ];
}

/** Puts what is left of a sold-out order into the cart of this session. */
async function fillCart(req: Request, res: Response, limits: PostLimits): Promise<void> {
  await limits.count(res);
  const { checkout } = contextOf(res);
  const { queries } = checkout.db;
  const at = checkout.clock.now();
  for (const { productId, quantity } of await findOrderLines(queries, loadedOrder(res).id)) {
    const { cartId } = req.session;
    const product = await findProduct(queries, 'id', productId, at);
    const pieces = Math.min(quantity, product?.left ?? MAX_QUANTITY);
    if (!product || pieces === 0) continue;
    // A cart with more keeps it, so that a second post changes nothing.
    const change = await changeCartLine(checkout, cartId, product, (present) => Math.max(present, pieces));
    if (change.kind === 'changed') await storeCartId(req, change.cartId);
  }
  res.redirect(303, changedCartPath(res));
}

/** Cancels an unpaid order of this session. */
async function cancel(req: Request, res: Response, limits: PostLimits): Promise<void> {
  const order = loadedOrder(res);
  if (ownsOrder(res, order)) {
    await limits.count(res);
    const version = Number(postedText(req, 'version'));
    await cancelOrder(contextOf(res).checkout, { orderId: order.id, version, cancellation: NOT_WANTED });
  }
  res.redirect(303, orderPath(order));
}
