import type { Request, Response } from 'express';
import { answer, orderOf, refuse, requestOf } from '../../admin/order/admin-order.js';
import { cancelOrder } from '../../shop/order-requests.js';
import { conflictOf, readForm } from '../../web/form.js';
import { contextOf } from '../../web/request-context.js';
import { CANCEL_FIELDS } from './cancel-form.js';
import { resendReceipt } from './resend-receipt.js';

/** Queues the second receipt of a paid order. */
export async function queueReceipt(req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  answer(res, order, await resendReceipt(contextOf(res).checkout, requestOf(req, res, order)));
}

/** Cancels an unpaid order. */
export async function cancelUnpaid(req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  const form = readForm(res, CANCEL_FIELDS);
  if (form.refused) return refuse(res, order, form.refused);
  const { cancel_reason: reason, cancel_text: text } = form.values;
  const cancellation = { reason, text };
  const result = await cancelOrder(contextOf(res).checkout, { ...requestOf(req, res, order), cancellation });
  if (result === 'changed') return refuse(res, order, conflictOf(form));
  answer(res, order, result);
}
