import type { Request, Response } from 'express';
import { answer, orderOf, requestOf } from '../../admin/admin-order.js';
import { type AdminRouter, adminOf } from '../../admin/permissions.js';
import { findOrder } from '../../db/orders.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { fieldsOf, postedText } from '../../web/form-body.js';
import { render } from '../../web/render.js';
import { contextOf, logOrderNumber } from '../../web/request-context.js';
import { findAnswer, forgetForm, redirectToForm } from '../../web/typed-form.js';
import { emptyForm, newOrderPage } from './form-page.js';
import { merchantOrdersPaths } from './paths.js';
import { queuePaymentLink } from './payment-link.js';
import { placeMerchantOrder } from './place-merchant-order.js';
import { chooseProducts, isChoosing, type NewOrderForm, readForm, readFormKey } from './read-form.js';

/** Adds the form of a new order, and the button that mails a payment link. */
export function addMerchantOrderRoutes(app: AdminRouter): void {
  app.get(merchantOrdersPaths.newOrder, async (_req, res) => {
    const typed = await findAnswer<TypedOrder>(res, merchantOrdersPaths.newOrder);
    await sendForm(res, typed?.form ?? emptyForm(contextOf(res)), typed?.status);
  });
  app.post(merchantOrdersPaths.newOrder, submit);
  app.post(merchantOrdersPaths.paymentLink, async (req, res) => {
    const order = await orderOf(res);
    answer(res, order, await queuePaymentLink(contextOf(res).checkout, requestOf(req, res, order)));
  });
}

/** Shows the total first. The button beside the total creates the order. */
async function submit(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const fields = fieldsOf(req);
  const key = readFormKey(fields);
  if (key === undefined) throw new ShopError('bad_request');
  if (isChoosing(fields)) return showForm(res, { form: chooseProducts(context, fields, key) });
  const form = await readForm(context, fields, key);
  // Looked up after the stock was read: an order of the same form may have taken the last pieces in between.
  const existing = await findOrder(context.checkout.db.queries, key);
  if (existing) return answer(res, existing, 'order_existed');
  if (!form.request || postedText(req, 'step') !== 'create') return showForm(res, { form });
  const placed = await placeMerchantOrder(context.checkout, { ...form.request, by: adminOf(res).name });
  if (placed.kind === 'changed') return showForm(res, { form: await readForm(context, fields, key), status: 409 });
  await forgetForm(res, merchantOrdersPaths.newOrder);
  logOrderNumber(res, placed.order);
  answer(res, placed.order, placed.kind === 'created' ? 'order_created' : 'order_existed');
}

/** A posted form, as its page shows it. */
interface TypedOrder {
  readonly form: NewOrderForm;
  readonly status?: 409;
}

/** Redirects to the form, so that Back and reload post nothing. */
function showForm(res: Response, typed: TypedOrder): Promise<void> {
  return redirectToForm(res, merchantOrdersPaths.newOrder, typed);
}

/** With status 409 the page says that prices or stock changed. */
async function sendForm(res: Response, form: NewOrderForm, status?: 409): Promise<void> {
  const context = contextOf(res);
  const page = { ...(await newOrderPage(context, form)), isChanged: status === 409 };
  const hasErrors = page.errors.length > 0 || page.isChanged;
  const title = context.t('merchantOrders.title');
  await render(res, 'merchant-orders/new-order', {
    title,
    hasErrors,
    page,
    status,
    scripts: context.addressScripts,
    path: merchantOrdersPaths.newOrder,
  });
}
