import { numberInReference } from '@tianguis/payments/rules';
import type { Request, Response } from 'express';
import type { OrderRequest } from '../../shop/order-requests.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { findOrderByNumber, type Order } from '../../tables/orders.js';
import type { RefusedForm } from '../../web/form.js';
import { postedText } from '../../web/form-body.js';
import { redirectToRefused } from '../../web/form-page.js';
import { adminOrderPath } from '../../web/paths.js';
import { contextOf, logOrderNumber } from '../../web/request-context.js';
import { adminOf } from '../permissions.js';
import type { ActionResult } from './admin-order-page.js';

/** Returns the order of the path, which may hold the reference of an attempt. Throws `admin_not_found`. */
export async function orderOf(res: Response): Promise<Order> {
  const number = numberInReference(String(res.req.params['number']));
  const order = await findOrderByNumber(contextOf(res).checkout.db.queries, number);
  if (!order) throw new ShopError('admin_not_found');
  logOrderNumber(res, order);
  return order;
}

/** Redirects to the order page, which shows the refused form with status 422, or 409 if the order changed. */
export function refuse(res: Response, order: Pick<Order, 'number'>, refused: RefusedForm): Promise<void> {
  return redirectToRefused(res, adminOrderPath(order), refused);
}

/** Redirects to the order page, which shows the result of an action. */
export function answer(res: Response, order: Pick<Order, 'number'>, result: ActionResult): void {
  res.redirect(303, `${adminOrderPath(order)}?result=${result}`);
}

/** Returns the posted order version and the user, for the use cases. */
export function requestOf(req: Request, res: Response, order: Order): OrderRequest {
  return { orderId: order.id, version: Number(postedText(req, 'version')), by: adminOf(res).name };
}
