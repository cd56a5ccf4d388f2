import type { Request, Response } from 'express';
import { answer, orderOf, requestOf } from '../../admin/order/admin-order.js';
import { contextOf } from '../../web/request-context.js';
import { emptyForm } from './form-page.js';
import { merchantOrdersPaths } from './paths.js';
import { queuePaymentLink } from './payment-link.js';
import { placeMerchantOrder } from './place-merchant-order.js';
import { type OrderForm, sendOrderForm, submitOrderForm } from './submit-form.js';

/** Sends the form of a new order. */
export function sendNewOrder(_req: Request, res: Response): Promise<void> {
  return sendOrderForm(res, newOrder(res));
}

/** Shows the total of a new order, or creates the order. */
export function createOrder(req: Request, res: Response): Promise<void> {
  return submitOrderForm(req, res, newOrder(res));
}

/** Queues the mail with the payment link of an order. */
export async function mailPaymentLink(req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  answer(res, order, await queuePaymentLink(contextOf(res).checkout, requestOf(req, res, order)));
}

function newOrder(res: Response): OrderForm {
  const context = contextOf(res);
  return {
    path: merchantOrdersPaths.newOrder,
    title: context.t('merchantOrders.title'),
    intro: context.t('merchantOrders.intro'),
    emptyForm: () => emptyForm(context),
    async place(request) {
      const placed = await placeMerchantOrder(context.checkout, request);
      if (placed.kind === 'changed') return placed.kind;
      return { order: placed.order, result: placed.kind === 'created' ? 'order_created' : 'order_existed' };
    },
  };
}
