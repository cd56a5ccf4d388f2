import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextRun } from 'node:timers/promises';
import type { Response } from 'express';
import type { Queries } from '../db/database.js';
import type { Order } from '../db/orders.js';
import { type OrderFilter, searchOrders } from '../db/search-orders.js';
import { CONTACT_FIELD_NAMES, CONTACT_FIELDS } from '../domain/contact.js';
import { errorName } from '../domain/error-name.js';
import { toPesosText } from '../domain/money.js';
import type { Translate } from '../locales/translations.js';
import type { WebContext } from '../web/context.js';
import { checkoutFor, contextOf } from '../web/request-context.js';
import { BYTE_ORDER_MARK, csvRecord } from './csv.js';

const BATCH_SIZE = 500;

interface Column {
  heading(t: Translate): string;
  cell(order: Order, t: Translate): string;
}

const COLUMNS: readonly Column[] = [
  { heading: (t) => t('admin.csv.number'), cell: (order) => order.number },
  { heading: (t) => t('admin.csv.state'), cell: (order, t) => t(`admin.states.${order.state}`) },
  {
    heading: (t) => t('admin.csv.reviewReason'),
    cell: ({ reviewReason }, t) => (reviewReason === null ? '' : t(`admin.reasons.${reviewReason}`)),
  },
  { heading: (t) => t('admin.csv.total'), cell: (order) => toPesosText(order.total) },
  { heading: (t) => t('admin.csv.currency'), cell: (order) => order.currency },
  ...CONTACT_FIELD_NAMES.map((name) => ({
    heading: (t: Translate) => t(`fields.${name}.label`),
    cell: (order: Order) => order[CONTACT_FIELDS[name].column],
  })),
  { heading: (t) => t('admin.csv.placed'), cell: (order) => new Date(order.createdAt).toISOString() },
  {
    heading: (t) => t('admin.csv.paid'),
    cell: ({ paidAt }) => (paidAt === null ? '' : new Date(paidAt).toISOString()),
  },
];

/**
 * Streams the filtered orders as CSV, with at most 500 orders in memory.
 * If a read fails, the connection is closed without a proper end, so that the client notices the incomplete file.
 */
export async function exportOrders(web: WebContext, res: Response, filter: OrderFilter): Promise<void> {
  const { db, log, clock } = checkoutFor(web, res);
  const { t } = contextOf(res);
  const startedAt = clock.now();
  const written = { count: 0 };
  res.type('text/csv').attachment('pedidos.csv');
  if (res.req.method === 'HEAD') {
    res.end();
    return;
  }
  try {
    await pipeline(Readable.from(recordsOf(db.queries, { filter, t, written })), res);
    log.info('orders.exported', { count: written.count, durationMs: clock.now() - startedAt });
  } catch (error) {
    log.warn('orders.export_truncated', { count: written.count, reason: errorName(error) });
  }
}

interface Export {
  readonly filter: OrderFilter;
  readonly t: Translate;
  readonly written: { count: number };
}

async function* recordsOf(queries: Queries, { filter, t, written }: Export): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRecord(COLUMNS.map(({ heading }) => heading(t)));
  let last: Order | undefined;
  do {
    const cursor = last && ({ side: 'after', order: last } as const);
    const page = await searchOrders(queries, { filter, most: BATCH_SIZE, ...(cursor && { cursor }) });
    written.count += page.length;
    if (page.length > 0) yield page.map((order) => recordOf(order, t)).join('');
    last = page.length === BATCH_SIZE ? page.at(-1) : undefined;
    // SQLite is synchronous. Yields to the event loop, so that requests of customers are not delayed.
    await nextRun();
  } while (last);
}

function recordOf(order: Order, t: Translate): string {
  return csvRecord(COLUMNS.map(({ cell }) => cell(order, t)));
}
