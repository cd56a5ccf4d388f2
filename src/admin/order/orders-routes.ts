import { findOrderIdsByGatewayNumber } from '@tianguis/payments/back-office';
import { holdsCardNumber, maskCardNumbers, ORDER_STATES, readOrderNumber } from '@tianguis/payments/rules';
import type { Request, Response } from 'express';
import { FEATURES } from '../../features/index.js';
import { brand } from '../../locales/brand.js';
import type { Translate } from '../../locales/translations.js';
import { parsePhone } from '../../shop/rules/contact.js';
import { FULFILLMENT_FILTERS } from '../../shop/rules/fulfillment.js';
import { addDays, isDay, startOfDay } from '../../shop/rules/mexico-day.js';
import { NAME_SEARCH_MIN, plainName } from '../../shop/rules/search-name.js';
import type { Db } from '../../tables/database.js';
import { findOrder, findOrderByNumber, type Order } from '../../tables/orders.js';
import { type OrderCursor, type OrderFilter, searchOrders } from '../../tables/search-orders.js';
import { readText } from '../../web/form-body.js';
import { adminOrderPath, adminPaths } from '../../web/paths.js';
import { render, shownLinks } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import type { WebContext } from '../../web/web-context.js';
import { type AdminRoute, adminOf, EVERY_ROLE } from '../permissions.js';
import { orderRows } from './order-rows.js';

const PAGE_SIZE = 50;

/** The order list, and the file of its orders. */
export function ordersRoutes({ orderExport }: WebContext): readonly AdminRoute[] {
  const list: AdminRoute = { get: adminPaths.orders, roles: EVERY_ROLE, handler: sendOrders };
  if (!orderExport) return [list];
  const columns = FEATURES.flatMap((feature) => feature.csvColumns ?? []);
  const sendFile = async (req: Request, res: Response) => {
    const reading = await readSearch(req, res);
    if (reading) await orderExport.send(res, reading.filter, columns);
  };
  return [list, { get: orderExport.path, roles: orderExport.roles, handler: sendFile }];
}

async function sendOrders(req: Request, res: Response): Promise<void> {
  const reading = await readSearch(req, res);
  if (!reading) return;
  const cursor = await readCursor(req, res);
  const { queries } = contextOf(res).checkout.db;
  // One more than the page shows, so that more pages are detected.
  const found = await searchOrders(queries, { filter: reading.filter, limit: PAGE_SIZE + 1, cursor });
  const isBefore = cursor?.side === 'before';
  await sendList(res, reading, {
    orders: isBefore ? found.slice(-PAGE_SIZE) : found.slice(0, PAGE_SIZE),
    newer: isBefore ? found.length > PAGE_SIZE : cursor !== undefined,
    older: isBefore || found.length > PAGE_SIZE,
  });
}

/**
 * Returns the filters, or `undefined` if it sent the response. The number of one order or of its payment redirects to its
 * page. Filters with problems get the list with these problems. An unknown number is a problem, unless the text may be a name.
 */
async function readSearch(req: Request, res: Response): Promise<FilterReading | undefined> {
  const reading = readFilter(req.query);
  const { problems } = reading;
  const { queries } = contextOf(res).checkout.db;
  const ids = await findNamedOrders(queries, reading);
  const [id] = ids;
  const order = id !== undefined && ids.length === 1 ? await findOrder(queries, id) : undefined;
  if (order) {
    res.redirect(303, adminOrderPath(order));
    return undefined;
  }
  if (ids.length > 1) return { ...reading, filter: { ids }, problems: {} };
  if (Object.keys(problems).length === 0) return reading;
  await sendList(res, reading, { orders: [], newer: false, older: false });
  return undefined;
}

/** Ids and numbers of the gateway. PostgreSQL refuses NUL. */
const GATEWAY_NUMBER = /^\P{Cc}{1,255}$/u;

/** Returns the ids of the orders that the search field names: by order number, or by a number of the gateway. */
async function findNamedOrders(queries: Db, { number, typed, filter }: FilterReading): Promise<readonly string[]> {
  const order = number === undefined ? undefined : await findOrderByNumber(queries, number);
  if (order) return [order.id];
  if (filter.email !== undefined || !GATEWAY_NUMBER.test(typed.q)) return [];
  return findOrderIdsByGatewayNumber(queries, typed.q, PAGE_SIZE);
}

/** Reads the cursor of the page. An unknown order number counts as no cursor. */
async function readCursor({ query }: Request, res: Response): Promise<OrderCursor | undefined> {
  const after = readText(query['after']);
  const number = after || readText(query['before']);
  const { queries } = contextOf(res).checkout.db;
  const order = number === '' ? undefined : await findOrderByNumber(queries, number);
  return order && { side: after === '' ? 'before' : 'after', order };
}

interface Page {
  readonly orders: readonly Order[];
  /** Whether there are more pages. */
  readonly newer: boolean;
  readonly older: boolean;
}

/** Sends the list with the submitted filters and the problem at each field. */
async function sendList(res: Response, { typed: asTyped, problems }: FilterReading, found: Page): Promise<void> {
  const context = contextOf(res);
  // A text that names no payment may be a card number.
  const typed = found.orders.length > 0 ? asTyped : { ...asTyped, q: masked(asTyped.q) };
  const { t, fulfillmentList: list, orderExport: file } = context;
  const errors = Object.entries(problems).map(([name, problem]) => [
    name,
    t(`admin.filter.problems.${problem}`, { typed: typed[name as FilterField] }),
  ]);
  const first = found.orders[0];
  const last = found.orders.at(-1);
  const admin = adminOf(res);
  await render(res, 'admin-orders', {
    title: t('admin.orders'),
    hasErrors: errors.length > 0,
    path: pathWith(adminPaths.orders, typed),
    page: {
      typed,
      links: shownLinks(context, admin, 'orders'),
      /** By field. With errors nothing is searched. */
      errors: Object.fromEntries(errors),
      isRefused: errors.length > 0,
      isFiltered: Object.values(typed).some((value) => value !== ''),
      rows: await orderRows(context, found.orders, admin),
      fulfillment: list?.label(t),
      choices: [
        { name: 'state', label: t('admin.filter.state'), options: stateOptions(t) },
        ...(list ? [{ name: 'fulfillment', label: list.label(t), options: list.filters(t) }] : []),
      ],
      selectionForm: list?.selectionForm(admin.can),
      download: file &&
        admin.can(`GET ${file.path}`) && { href: pathWith(file.path, typed), label: file.label(t), hint: file.hint(t) },
      newerHref: found.newer && first && pathWith(adminPaths.orders, { ...typed, before: first.number }),
      olderHref: found.older && last && pathWith(adminPaths.orders, { ...typed, after: last.number }),
    },
  });
}

function stateOptions(t: Translate) {
  return ORDER_STATES.map((value) => ({ value, label: t(`admin.states.${value}`) }));
}

function masked(text: string): string {
  return holdsCardNumber(text) ? maskCardNumbers(text) : text;
}

/** Returns `path` with the parameters that are not empty in its query string. */
function pathWith(path: string, parameters: Readonly<Record<string, string>>): string {
  const filled = Object.entries(parameters).filter(([, value]) => value !== '');
  return filled.length === 0 ? path : `${path}?${new URLSearchParams(filled)}`;
}

const FIELDS = ['q', 'state', 'fulfillment', 'review', 'from', 'to'] as const;
type FilterField = (typeof FIELDS)[number];
type FilterProblem = 'unreadable' | 'unknownNumber' | 'unknownState' | 'notADay' | 'endsBeforeItBegins';

interface FilterReading {
  /** Trimmed input, valid or not. */
  readonly typed: Readonly<Record<FilterField, string>>;
  readonly problems: Partial<Record<FilterField, FilterProblem>>;
  readonly filter: OrderFilter;
  /**
   * Order number from the search field. It identifies one order, so the other filters are ignored. Eight digits may also be
   * a number of the gateway, and eight letters a name, for which `filter.name` searches if no order has this number.
   */
  readonly number?: string;
}

const MAX_LENGTH = 254;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Parses the filters. Reports each problem at its field. */
function readFilter(query: Request['query']): FilterReading {
  const texts = FIELDS.map((name) => [name, readText(query[name]).trim().slice(0, MAX_LENGTH)]);
  const typed = Object.fromEntries(texts) as FilterReading['typed'];
  const { from, to } = typed;
  const days = dayProblems(typed);
  const search = parseSearch(typed.q);
  const state = ORDER_STATES.find((name) => name === typed.state);
  const fulfillment = FULFILLMENT_FILTERS.find((name) => name === typed.fulfillment);
  const problems: FilterReading['problems'] = { ...days };
  if (search.problem) problems.q = search.problem;
  if (typed.state !== '' && !state) problems.state = 'unknownState';
  if (typed.fulfillment !== '' && !fulfillment) problems.fulfillment = 'unknownState';
  return {
    typed,
    problems,
    filter: {
      email: search.email,
      name: search.name,
      phone: search.phone,
      state,
      inReview: typed.review === '' ? undefined : true,
      fulfillment,
      from: from === '' || days.from ? undefined : startOfDay(from),
      until: to === '' || days.to ? undefined : startOfDay(addDays(to, 1)),
    },
    number: search.number,
  };
}

function dayProblems({ from, to }: FilterReading['typed']): Pick<FilterReading['problems'], 'from' | 'to'> {
  const days: readonly string[] = [from, to].filter((day) => day !== '');
  if (days.every(isDay)) return from !== '' && to !== '' && to < from ? { to: 'endsBeforeItBegins' } : {};
  const isWrong = (day: string) => day !== '' && !isDay(day);
  return { ...(isWrong(from) && { from: 'notADay' }), ...(isWrong(to) && { to: 'notADay' }) };
}

function parseSearch(
  typed: string,
): Pick<OrderFilter, 'email' | 'name' | 'phone'> & { readonly number?: string; readonly problem?: FilterProblem } {
  if (typed === '') return {};
  if (typed.includes('@')) return EMAIL.test(typed) ? { email: typed } : { problem: 'unreadable' };
  const number = readOrderNumber(typed, brand.orderPrefix);
  const phone = parsePhone(typed);
  if (phone !== undefined) return { number, phone };
  const isNumber = /\d/.test(typed) && (number !== undefined || !/\p{L}/u.test(typed));
  if (isNumber) return { number, problem: 'unknownNumber' };
  const name = plainName(typed);
  const isPartOfNumber = number === undefined && typed.toUpperCase().startsWith(`${brand.orderPrefix}-`);
  if (isPartOfNumber || [...name].length < NAME_SEARCH_MIN) return { problem: 'unreadable' };
  return number === undefined ? { name } : { name, number };
}
