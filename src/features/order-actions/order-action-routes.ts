import type { Request, Response } from 'express';
import { answer, orderOf, requestOf, type SendOrder } from '../../admin/admin-order.js';
import type { AdminRouter } from '../../admin/permissions.js';
import { cancelOrder } from '../../shop/order-actions.js';
import { fieldsOf } from '../../web/form-body.js';
import { contextOf } from '../../web/request-context.js';
import { readCancelForm } from './cancel-form.js';
import { orderActionsPaths } from './paths.js';
import { resendReceipt } from './resend-receipt.js';

/** Adds the cancellation of an unpaid order, and the second receipt of a paid one. */
export function addOrderActionRoutes(app: AdminRouter, sendOrder: SendOrder): void {
  app.post(orderActionsPaths.resendReceipt, resend);
  app.post(orderActionsPaths.cancelOrder, (req, res) => cancel(req, res, sendOrder));
}

async function resend(req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  answer(res, order, await resendReceipt(contextOf(res).checkout, requestOf(req, res, order)));
}

async function cancel(req: Request, res: Response, sendOrder: SendOrder): Promise<void> {
  const order = await orderOf(res);
  const { typed, errors, cancellation } = readCancelForm(contextOf(res), fieldsOf(req));
  if (!cancellation) return sendOrder(res, { typed, errors });
  const result = await cancelOrder(contextOf(res).checkout, { ...requestOf(req, res, order), cancellation });
  if (result === 'changed') return sendOrder(res, { typed, errors });
  answer(res, order, result);
}
