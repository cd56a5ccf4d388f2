/** The pages of an order's payment link. A person needs neither the cart nor the session that placed the order. */
import type { IRouter, Request, Response } from 'express';
import { raiseCartQuantity } from '../../checkout/change-cart.js';
import { cancelOrder } from '../../checkout/order-actions.js';
import { ownershipMarkOf } from '../../checkout/order-ownership.js';
import { findOrderLines } from '../../db/orders.js';
import { findProduct } from '../../db/products.js';
import { MAX_QUANTITY } from '../../domain/cart.js';
import { clientOf } from '../../web/client-address.js';
import type { WebContext } from '../../web/context.js';
import { postedText } from '../../web/form-body.js';
import { loadedOrder, loadOrder } from '../../web/load-order.js';
import { limitRate } from '../../web/middleware/rate-limit.js';
import { checkoutCsp } from '../../web/middleware/security-headers.js';
import { orderPath, paths } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import { ownershipMarks, storeCartId } from '../../web/session.js';
import { addCardPayLink } from './pay-card.js';
import { sendLink } from './pay-form.js';
import { addHostedPayLink } from './pay-hosted.js';

const TEN_MINUTES_S = 600;
const ADDRESS_LIMIT = { name: 'address', max: 120, seconds: TEN_MINUTES_S, keyOf: clientOf } as const;
/** Posts to the link of one order, which must exist. Each may look up its payments at the gateway. */
const ORDER_LIMIT = {
  name: 'order',
  max: 60,
  seconds: TEN_MINUTES_S,
  keyOf: ({ params }: Request) => String(params['token']),
} as const;

const NOT_WANTED = { reason: 'not_wanted', text: '' } as const;

/** Adds `GET /orders/:token/pay`, which writes nothing, and the routes that pay the order. */
export function addPayLinkRoutes(app: IRouter, web: WebContext): void {
  const limit = limitRate(web, [ORDER_LIMIT, ADDRESS_LIMIT]);
  app.get(paths.payLink, checkoutCsp(web.config, []), loadOrder, (_req, res) => sendLink(res, 'pay'));
  addHostedPayLink(app, web, limit);
  addCardPayLink(app, web, limit);
  app.post(paths.payLinkCart, loadOrder, limit, fillCart);
  app.post(paths.cancelOwnOrder, loadOrder, limit, cancel);
}

/** Puts what is left of a sold-out order into the cart of this session. */
async function fillCart(req: Request, res: Response): Promise<void> {
  const { checkout } = contextOf(res);
  const { queries } = checkout.db;
  const at = checkout.clock.now();
  for (const { productId, quantity } of await findOrderLines(queries, loadedOrder(res).id)) {
    const { cartId } = req.session;
    const product = await findProduct(queries, 'id', productId, at);
    const pieces = Math.min(quantity, product?.left ?? MAX_QUANTITY);
    if (!product || pieces === 0) continue;
    const change = await raiseCartQuantity(checkout, cartId, { product, quantity: pieces });
    if (change.kind === 'changed') await storeCartId(req, change.cartId);
  }
  res.redirect(303, paths.cart);
}

/** Cancels an unpaid order of this session. */
async function cancel(req: Request, res: Response): Promise<void> {
  const order = loadedOrder(res);
  if (ownershipMarks(res).includes(ownershipMarkOf(order))) {
    const version = Number(postedText(req, 'version'));
    await cancelOrder(contextOf(res).checkout, { orderId: order.id, version, cancellation: NOT_WANTED });
  }
  res.redirect(303, orderPath(order));
}
