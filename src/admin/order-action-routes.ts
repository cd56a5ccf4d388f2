import type { Request, Response } from 'express';
import { eraseCustomer } from '../checkout/erase-customer.js';
import { cancelOrder, type OrderRequest, resendReceipt } from '../checkout/order-actions.js';
import type { Order } from '../db/orders.js';
import { readOrderNumber } from '../domain/ids.js';
import type { WebContext } from '../web/context.js';
import { postedText } from '../web/form-body.js';
import { checkoutFor } from '../web/request-context.js';
import { answer, orderOf, sendOrder } from './admin-order-routes.js';
import { type AdminRouter, adminOf } from './guard-routes.js';

/** Adds the actions on an order: send the receipt again, cancel, erase the data of its customer. */
export function addOrderActionRoutes(app: AdminRouter, web: WebContext): void {
  app.post('/admin/orders/:number/receipt', async (req, res) => {
    const order = await orderOf(web, res);
    answer(res, order, await resendReceipt(checkoutFor(web, res), requestOf(req, res, order)));
  });
  app.post('/admin/orders/:number/cancel', async (req, res) => {
    const order = await orderOf(web, res);
    answer(res, order, await cancelOrder(checkoutFor(web, res), requestOf(req, res, order)));
  });
  app.post('/admin/orders/:number/erase', async (req, res) => {
    const order = await orderOf(web, res);
    const typed = postedText(req, 'confirmation').trim();
    const isConfirmed =
      readOrderNumber(typed) === order.number || typed.toLowerCase() === order.email.toLowerCase();
    if (!isConfirmed && order.email !== '') return sendOrder(web, req, res, { confirmation: typed });
    answer(res, order, await eraseCustomer(checkoutFor(web, res), requestOf(req, res, order)));
  });
}

function requestOf(req: Request, res: Response, order: Order): OrderRequest {
  return { orderId: order.id, version: Number(postedText(req, 'version')), by: adminOf(res).name };
}
