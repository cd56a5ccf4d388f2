import type { Response } from 'express';
import { answer, orderOf, requestOf } from '../../admin/admin-order.js';
import type { AdminRouter } from '../../admin/permissions.js';
import { contextOf } from '../../web/request-context.js';
import { emptyForm } from './form-page.js';
import { merchantOrdersPaths } from './paths.js';
import { queuePaymentLink } from './payment-link.js';
import { placeMerchantOrder } from './place-merchant-order.js';
import { type OrderForm, sendOrderForm, submitOrderForm } from './submit-form.js';

/** Adds the form of a new order, and the button that mails a payment link. */
export function addMerchantOrderRoutes(app: AdminRouter): void {
  app.get(merchantOrdersPaths.newOrder, (_req, res) => sendOrderForm(res, newOrder(res)));
  app.post(merchantOrdersPaths.newOrder, (req, res) => submitOrderForm(req, res, newOrder(res)));
  app.post(merchantOrdersPaths.paymentLink, async (req, res) => {
    const order = await orderOf(res);
    answer(res, order, await queuePaymentLink(contextOf(res).checkout, requestOf(req, res, order)));
  });
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
