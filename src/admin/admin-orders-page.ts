import type { Order } from '../db/orders.js';
import type { OrderCursor } from '../db/search-orders.js';
import { ORDER_STATES } from '../domain/order.js';
import type { I18n } from '../web/pages/shop-pages.js';
import type { AdminOrdersPage } from './admin-view-models.js';
import { type FilterReading, filterAddress } from './order-filter.js';
import { orderRow } from './order-rows.js';

export const ORDERS_PATH = '/admin/orders';
export const EXPORT_PATH = '/admin/orders.csv';

/** One page of the list. `newer` and `older` report whether there are more pages. */
export interface FoundOrders {
  readonly orders: readonly Order[];
  readonly newer: boolean;
  readonly older: boolean;
}

/** Cuts the page from a search result. The search must ask for `pageSize + 1` orders, so that more pages are detected. */
export function cutPage(
  found: readonly Order[],
  side: OrderCursor['side'] | undefined,
  pageSize: number,
): FoundOrders {
  const more = found.length > pageSize;
  if (side === 'before') return { orders: found.slice(-pageSize), newer: more, older: true };
  return { orders: found.slice(0, pageSize), newer: side === 'after', older: more };
}

/** Builds the model of the order list, with the submitted filters and the problem at each field. */
export function adminOrdersPage(i18n: I18n, reading: FilterReading, found: FoundOrders): AdminOrdersPage {
  const { t } = i18n;
  const { typed, problems } = reading;
  const first = found.orders[0];
  const last = found.orders.at(-1);
  const field = (name: keyof typeof typed) => {
    const problem = problems[name];
    return {
      value: typed[name],
      ...(problem && { error: t(`admin.filter.problems.${problem}`, { typed: typed[name] }) }),
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
    ...(found.newer && first && { newerHref: filterAddress(ORDERS_PATH, typed, { before: first.number }) }),
    ...(found.older && last && { olderHref: filterAddress(ORDERS_PATH, typed, { after: last.number }) }),
  };
}
