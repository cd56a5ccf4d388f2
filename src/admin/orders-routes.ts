import type { Request, Response } from 'express';
import { findOrderByNumber, type Order } from '../db/orders.js';
import { type OrderCursor, searchOrders } from '../db/search-orders.js';
import { ORDER_STATES } from '../domain/order.js';
import type { WebContext } from '../web/context.js';
import { readText } from '../web/form-body.js';
import type { I18n } from '../web/pages/shop-pages.js';
import { render } from '../web/render.js';
import { contextOf } from '../web/request-context.js';
import { exportOrders } from './export-orders.js';
import type { AdminRouter } from './guard-routes.js';
import { type FilterReading, filterAddress, readFilter } from './order-filter.js';
import { adminOrderPath, orderRow } from './order-rows.js';

export const ORDERS_PATH = '/admin/orders';
const EXPORT_PATH = '/admin/orders.csv';
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
  if (isRefused(reading)) return sendList(web, res, reading, NONE);
  const { queries } = web.checkout.db;
  const cursor = await readCursor(web, req);
  const found = await searchOrders(queries, { filter: reading.filter, most: PAGE_SIZE + 1, cursor });
  return sendList(web, res, reading, cutPage(found, cursor?.side));
}

async function sendFile(web: WebContext, req: Request, res: Response): Promise<void> {
  const reading = await answerNumber(web, readFilter(req.query), res);
  if (!reading) return;
  if (isRefused(reading)) return sendList(web, res, reading, NONE);
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

function sendList(web: WebContext, res: Response, reading: FilterReading, found: FoundOrders): Promise<void> {
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

/** One page of the list. `newer` and `older` report whether there are more pages. */
interface FoundOrders {
  readonly orders: readonly Order[];
  readonly newer: boolean;
  readonly older: boolean;
}

/** Cuts the page from a search result. The search must ask for `PAGE_SIZE + 1` orders, so that more pages are detected. */
function cutPage(found: readonly Order[], side: OrderCursor['side'] | undefined): FoundOrders {
  const more = found.length > PAGE_SIZE;
  if (side === 'before') return { orders: found.slice(-PAGE_SIZE), newer: more, older: true };
  return { orders: found.slice(0, PAGE_SIZE), newer: side === 'after', older: more };
}

/** Builds the model of the order list, with the submitted filters and the problem at each field. */
function adminOrdersPage(i18n: I18n, reading: FilterReading, found: FoundOrders) {
  const { t } = i18n;
  const { typed, problems } = reading;
  const first = found.orders[0];
  const last = found.orders.at(-1);
  const field = (name: keyof typeof typed) => {
    const problem = problems[name];
    return {
      value: typed[name],
      error: problem && t(`admin.filter.problems.${problem}`, { typed: typed[name] }),
    };
  };
  return {
    rows: found.orders.map((order) => orderRow(i18n, order)),
    refused: Object.keys(problems).length > 0,
    filtered: Object.values(typed).some((value) => value !== ''),
    search: field('q'),
    state: field('state'),
    states: ORDER_STATES.map((value) => ({
      value,
      label: t(`admin.states.${value}`),
      selected: typed.state === value,
    })),
    review: typed.review !== '',
    ship: typed.ship !== '',
    from: field('from'),
    to: field('to'),
    exportHref: filterAddress(EXPORT_PATH, typed),
    newerHref: found.newer && first && filterAddress(ORDERS_PATH, typed, { before: first.number }),
    olderHref: found.older && last && filterAddress(ORDERS_PATH, typed, { after: last.number }),
  };
}
