import type { IRouter, Request, Response } from 'express';
import { settlePayment } from '../../checkout/settle-payment.js';
import { isOrderToken } from '../../core/ids.js';
import { ShopError } from '../../core/shop-error.js';
import { findAttempts } from '../../store/attempts.js';
import { findOrderByToken } from '../../store/orders.js';
import { noStore } from '../middleware/security-headers.js';
import { flowServices, nameOrder } from '../request-context.js';
import type { WebServices } from '../services.js';

/**
 * Where the service and the banks send shoppers back: `GET` and `POST /checkout/return/:token`. Reads no cookie, no
 * session and no body, believes no parameter, and looks the payment up before it leads to the order.
 */
export function addPaymentReturnRoutes(app: IRouter, web: WebServices): void {
  const handle = (req: Request, res: Response) => handleReturn(web, req, res);
  app.route('/checkout/return/:token').all(noStore).get(handle).post(handle);
}

async function handleReturn(web: WebServices, req: Request, res: Response): Promise<void> {
  const services = flowServices(web, res);
  const { db, log } = services;
  const token = String(req.params['token']);
  const order = isOrderToken(token) ? await findOrderByToken(db.queries, token) : undefined;
  if (!order) throw new ShopError('not_found');
  nameOrder(res, order);
  const claimed = req.query['session_id'];
  const attempts = await findAttempts(db.queries, order.id);
  // The id in the address is never looked up: ours are on the order. One that is not ours marks a forged return.
  if (claimed !== undefined && !attempts.some((attempt) => attempt.serviceId === claimed)) {
    log.warn('foreign_return', { order: order.number });
    throw new ShopError('not_found');
  }
  await settlePayment(services, order.id, 'return');
  res.redirect(303, `/orders/${order.token}`);
}
