import type { IRouter, Response } from 'express';
import { ownershipMark } from '../../checkout/order-ownership.js';
import { settlePayment } from '../../checkout/settle-payment.js';
import { isOrderToken } from '../../core/ids.js';
import { ShopError } from '../../core/shop-error.js';
import { type Attempt, findAttempts } from '../../store/attempts.js';
import { findOrderByToken, findOrderLines, type Order } from '../../store/orders.js';
import { noStore } from '../middleware/security-headers.js';
import { type OwnDetail, orderPage, refreshSeconds } from '../pages/order-page.js';
import { contextOf, flowServices, nameOrder } from '../request-context.js';
import type { WebServices } from '../services.js';
import { ownOrders } from '../session.js';

/** The order as it truly stands: `GET /orders/:token` and `GET /orders/:token/status`. */
export function addOrderRoutes(app: IRouter, web: WebServices): void {
  app.use('/orders', noStore);
  app.get('/orders/:token', (_req, res) => sendOrder(web, res));
  app.get('/orders/:token/status', async (_req, res) => {
    const order = await currentOrder(web, res);
    res.json({ number: order.number, state: order.state });
  });
}

/** The order behind a link. Until it is paid it is looked at again: money may come late, and to an older page of it. */
async function currentOrder(web: WebServices, res: Response): Promise<Order> {
  const token = String(res.req.params['token']);
  const order = isOrderToken(token) ? await findOrderByToken(web.checkout.db.queries, token) : undefined;
  if (!order) throw new ShopError('not_found');
  nameOrder(res, order);
  if (order.state === 'paid') return order;
  const settled = await settlePayment(flowServices(web, res), order.id, 'order_page');
  return settled.order;
}

async function sendOrder(web: WebServices, res: Response): Promise<void> {
  const reader = contextOf(res);
  const order = await currentOrder(web, res);
  const attempts = await findAttempts(web.checkout.db.queries, order.id);
  const own = ownOrders(res).includes(ownershipMark(order))
    ? await ownDetail(web, order, attempts)
    : undefined;
  const refunded = attempts.some((attempt) => attempt.state === 'refunded');
  const seconds = refreshSeconds(order.state);
  return web.pages.send(res, {
    view: 'order',
    title: reader.t('titles.order', { number: order.number }),
    page: orderPage(reader, order, { own, refunded }),
    scripts: ['/waiting.js'],
    ...(seconds !== undefined && { refreshSeconds: seconds }),
  });
}

async function ownDetail(web: WebServices, order: Order, attempts: readonly Attempt[]): Promise<OwnDetail> {
  const lines = await findOrderLines(web.checkout.db.queries, order.id);
  const open = attempts.find((attempt) => attempt.state === 'open');
  const usable = order.state === 'pending' && open && open.expiresAt > web.checkout.clock.now();
  return { lines, ...(usable && open.redirectUrl !== null && { paymentUrl: open.redirectUrl }) };
}
