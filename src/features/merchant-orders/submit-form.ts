/** Sends and reads the form of an order that the merchant makes, or by which the merchant corrects another one. */
import type { Request, Response } from 'express';
import { answer } from '../../admin/order/admin-order.js';
import type { ActionResult } from '../../admin/order/admin-order-page.js';
import { adminOf } from '../../admin/permissions.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { findOrder, type Order } from '../../tables/orders.js';
import { fieldsOf, postedText } from '../../web/form-body.js';
import { adminOrderPath } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf, logOrderNumber } from '../../web/request-context.js';
import { findAnswer, forgetForm, redirectToForm } from '../../web/typed-form.js';
import { newOrderPage } from './form-page.js';
import type { MerchantOrder } from './place-merchant-order.js';
import { chooseProducts, isChoosing, type NewOrderForm, readForm, readFormKey } from './read-form.js';

/** What a form makes. */
export interface OrderForm {
  readonly path: string;
  readonly title: string;
  readonly intro: string;
  /** The order that the new one replaces. */
  readonly earlier?: Order;
  emptyForm(): NewOrderForm | Promise<NewOrderForm>;
  /**
   * Returns the order to show, and the result. `version`: that of `earlier` that the user saw. `changed`: it is another now, less
   * is left, or the user saw another total.
   */
  place(
    request: MerchantOrder,
    version: number,
  ): Promise<{ readonly order: Order; readonly result: ActionResult } | 'changed'>;
}

export async function sendOrderForm(res: Response, orderForm: OrderForm): Promise<void> {
  const typed = await findAnswer<TypedOrder>(res, orderForm.path);
  const form = typed?.form ?? (await orderForm.emptyForm());
  const context = contextOf(res);
  const { title, path, intro, earlier } = orderForm;
  const isChanged = typed?.status === 409;
  const present = earlier && String(earlier.version);
  const seen = typed ? typed.form.typed['version'] : present;
  const page = {
    ...(await newOrderPage(context, form, earlier)),
    heading: title,
    intro,
    action: path,
    isChanged,
    changedOrder: seen === present ? undefined : linkTo(earlier),
    // The user has seen what the page says about the change.
    version: isChanged ? present : seen,
  };
  await render(res, 'merchant-orders/views/new-order', {
    title,
    hasErrors: page.errors.length > 0 || isChanged,
    page,
    status: typed?.status,
    scripts: context.addressScripts,
    path,
  });
}

/** Shows the total first. The button beside the total creates the order. */
export async function submitOrderForm(req: Request, res: Response, orderForm: OrderForm): Promise<void> {
  const context = contextOf(res);
  const fields = fieldsOf(req);
  const key = readFormKey(fields);
  if (key === undefined) throw new ShopError('bad_request');
  if (isChoosing(fields)) return showForm(res, orderForm, { form: chooseProducts(context, fields, key) });
  const form = await readForm(context, fields, key, orderForm.earlier);
  // Looked up after the stock was read: an order of the same form may have taken the last pieces in between.
  const existing = await findOrder(context.checkout.db.queries, key);
  if (existing) return answer(res, existing, 'order_existed');
  if (!form.request || postedText(req, 'step') !== 'create') return showForm(res, orderForm, { form });
  const placed = await orderForm.place({ ...form.request, by: adminOf(res).name }, Number(form.typed['version']));
  if (placed === 'changed')
    return showForm(res, orderForm, { form: await readForm(context, fields, key, orderForm.earlier), status: 409 });
  await forgetForm(res, orderForm.path);
  logOrderNumber(res, placed.order);
  answer(res, placed.order, placed.result);
}

const linkTo = (order: Order | undefined) => order && { number: order.number, href: adminOrderPath(order) };

/** A posted form, as its page shows it. With status 409 the page says that prices, stock or the earlier order changed. */
interface TypedOrder {
  readonly form: NewOrderForm;
  readonly status?: 409;
}

/** Redirects to the form, so that Back and reload post nothing. */
function showForm(res: Response, { path }: OrderForm, typed: TypedOrder): Promise<void> {
  return redirectToForm(res, path, typed, { isChecked: true });
}
