import type { Request, Response } from 'express';
import { findOrderByNumber } from '../db/orders.js';
import { type OrderCursor, searchOrders } from '../db/search-orders.js';
import type { WebContext } from '../web/context.js';
import { readText } from '../web/posted-fields.js';
import { render } from '../web/render.js';
import { contextOf } from '../web/request-context.js';
import { adminOrdersPage, cutPage, EXPORT_PATH, type FoundOrders, ORDERS_PATH } from './admin-orders-page.js';
import { exportOrders } from './export-orders.js';
import type { AdminRouter } from './guard-routes.js';
import { type FilterReading, filterAddress, readFilter } from './order-filter.js';
import { adminOrderPath } from './order-rows.js';

const PAGE_SIZE = 50;
const NONE: FoundOrders = { orders: [], newer: false, older: false };

/** Adds the order list with its filters, and its CSV export. */
export function addOrdersRoutes(app: AdminRouter, web: WebContext): void {
  app.get(ORDERS_PATH, (req, res) => sendOrders(web, req, res));
  app.get(EXPORT_PATH, (req, res) => sendFile(web, req, res));
}

async function sendOrders(web: WebContext, req: Request, res: Response): Promise<void> {
  const reading = await answerNumber(web, readFilter(req.query), res);
  if (!reading) return;
  if (isRefused(reading)) return sendList(web, res, { reading, found: NONE });
  const { queries } = web.checkout.db;
  const cursor = await readCursor(web, req);
  const search = { filter: reading.filter, most: PAGE_SIZE + 1, ...(cursor && { cursor }) };
  const found = cutPage(await searchOrders(queries, search), cursor?.side, PAGE_SIZE);
  return sendList(web, res, { reading, found });
}

async function sendFile(web: WebContext, req: Request, res: Response): Promise<void> {
  const reading = await answerNumber(web, readFilter(req.query), res);
  if (!reading) return;
  if (isRefused(reading)) return sendList(web, res, { reading, found: NONE });
  return exportOrders(web, res, reading.filter);
}

/**
 * Redirects to the order if its number was searched, and returns `undefined`.
 * An unknown number becomes a problem of the search field, unless the text may be a name.
 */
async function answerNumber(
  web: WebContext,
  reading: FilterReading,
  res: Response,
): Promise<FilterReading | undefined> {
  const { number, problems, filter } = reading;
  if (number === undefined) return reading;
  const order = await findOrderByNumber(web.checkout.db.queries, number);
  if (!order && filter.name !== undefined) return reading;
  if (!order) return { ...reading, problems: { ...problems, q: 'unknownNumber' } };
  res.redirect(303, adminOrderPath(order));
  return undefined;
}

function isRefused({ problems }: FilterReading): boolean {
  return Object.keys(problems).length > 0;
}

/** Reads the cursor of the page. An unknown order number counts as no cursor. */
async function readCursor(web: WebContext, { query }: Request): Promise<OrderCursor | undefined> {
  const after = readText(query['after']);
  const number = after || readText(query['before']);
  const order = number === '' ? undefined : await findOrderByNumber(web.checkout.db.queries, number);
  return order && { side: after === '' ? 'before' : 'after', order };
}

function sendList(
  web: WebContext,
  res: Response,
  { reading, found }: { readonly reading: FilterReading; readonly found: FoundOrders },
): Promise<void> {
  const i18n = contextOf(res);
  const title = i18n.t('admin.orders');
  const status = isRefused(reading) ? 422 : 200;
  return render(web, res, 'admin-orders', {
    title: status === 200 ? title : i18n.t('titles.withErrors', { title }),
    page: adminOrdersPage(i18n, reading, found),
    path: filterAddress(ORDERS_PATH, reading.typed),
    status,
  });
}
