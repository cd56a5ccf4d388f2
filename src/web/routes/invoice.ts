import type { IRouter, Response } from 'express';
import { ownershipMarkOf } from '../../checkout/order-ownership.js';
import { readInvoiceState, requestInvoice } from '../../checkout/request-invoice.js';
import type { Order } from '../../db/orders.js';
import { INVOICE_FIELD_NAMES, readInvoiceData } from '../../domain/invoice.js';
import type { WebContext } from '../context.js';
import { fieldsOf, readText } from '../form-body.js';
import { loadOrder } from '../load-order.js';
import { clientAddressOf, limitRate } from '../middleware/rate-limit.js';
import type { TypedForm } from '../pages/contact-fields.js';
import { invoicePage } from '../pages/invoice-page.js';
import { render } from '../render.js';
import { checkoutFor, contextOf } from '../request-context.js';
import { ownershipMarks } from '../session.js';

const PATH = '/orders/:token/invoice';
const TEN_MINUTES_S = 600;
const LIMITS = [
  { name: 'invoice_address', most: 30, seconds: TEN_MINUTES_S, keyOf: clientAddressOf },
  { name: 'invoice_all', most: 600, seconds: TEN_MINUTES_S, keyOf: () => 'invoice' },
] as const;

/**
 * Adds `GET` and `POST /orders/:token/invoice`, the form for the data of an invoice. The order link alone allows a request,
 * and shows no stored data.
 */
export function addInvoiceRoutes(app: IRouter, web: WebContext): void {
  app.get(PATH, async (_req, res) => sendPage(web, res, await loadOrder(web, res)));
  app.post(PATH, limitRate(web, LIMITS), (_req, res) => submit(web, res));
}

async function submit(web: WebContext, res: Response): Promise<void> {
  const order = await loadOrder(web, res);
  const fields = fieldsOf(res.req);
  const result = readInvoiceData(fields);
  if (!result.ok) {
    const values = Object.fromEntries(INVOICE_FIELD_NAMES.map((name) => [name, readText(fields[name])]));
    return sendPage(web, res, order, { values, problems: result.problems });
  }
  const outcome = await requestInvoice(checkoutFor(web, res), order, result.data);
  if (outcome === 'closed') return sendPage(web, res, order);
  res.redirect(303, `/orders/${order.token}#invoice`);
}

/** Sends the form, with 422 for posted data with problems. Without a form, if the order is closed for requests, the status is 409. */
async function sendPage(web: WebContext, res: Response, order: Order, posted?: TypedForm): Promise<void> {
  const i18n = contextOf(res);
  const state = await readInvoiceState(web.checkout, web.checkout.db.queries, order);
  const isOwn = ownershipMarks(res).includes(ownershipMarkOf(order));
  const page = invoicePage(i18n, order, state, { isOwn, posted });
  const title = page.errors.length > 0 ? i18n.t('titles.withErrors', { title: page.heading }) : page.heading;
  const status = posted ? 422 : 200;
  return render(web, res, 'invoice', { title, page, status: state.deadline === undefined ? 409 : status });
}
