import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import { faultName } from '../../core/fault-name.js';
import { toPesosText } from '../../core/money.js';
import type { Queries } from '../../store/database.js';
import type { Order } from '../../store/orders.js';
import { type OrderFilter, searchOrders } from '../../store/search-orders.js';
import type { Translate } from '../../words/translations.js';
import { contextOf, flowServices } from '../request-context.js';
import type { WebServices } from '../services.js';
import { BYTE_ORDER_MARK, csvRecord } from './csv.js';

const ROWS_AT_A_TIME = 500;

const COLUMNS = [
  ['number', (order) => order.number],
  ['state', (order, t) => t(`desk.states.${order.state}`)],
  ['attention', ({ attention }, t) => (attention === null ? '' : t(`desk.reasons.${attention}`))],
  ['total', (order) => toPesosText(order.total)],
  ['currency', (order) => order.currency],
  ['firstName', (order) => order.firstName],
  ['lastName', (order) => order.lastName],
  ['email', (order) => order.email],
  ['placed', (order) => new Date(order.createdAt).toISOString()],
  ['paid', ({ paidAt }) => (paidAt === null ? '' : new Date(paidAt).toISOString())],
] as const satisfies readonly (readonly [string, (order: Order, t: Translate) => string])[];

/**
 * Sends the orders of a filter as a file, a page of them in memory at a time. One that breaks off midway is cut, never
 * ended as if it were whole.
 */
export async function exportOrders(web: WebServices, res: Response, filter: OrderFilter): Promise<void> {
  const { db, log, clock } = flowServices(web, res);
  const { t } = contextOf(res);
  const began = clock.now();
  const written = { count: 0 };
  res.type('text/csv').attachment('pedidos.csv');
  if (res.req.method === 'HEAD') {
    res.end();
    return;
  }
  try {
    await pipeline(Readable.from(recordsOf(db.queries, { filter, t, written })), res);
    log.info('orders_exported', { count: written.count, ms: clock.now() - began });
  } catch (error) {
    log.warn('orders_export_cut', { count: written.count, reason: faultName(error) });
  }
}

interface Export {
  readonly filter: OrderFilter;
  readonly t: Translate;
  readonly written: { count: number };
}

async function* recordsOf(queries: Queries, { filter, t, written }: Export): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRecord(COLUMNS.map(([name]) => t(`desk.csv.${name}`)));
  let last: Order | undefined;
  do {
    const place = last && ({ side: 'after', order: last } as const);
    const page = await searchOrders(queries, { filter, most: ROWS_AT_A_TIME, ...(place && { place }) });
    written.count += page.length;
    if (page.length > 0) yield page.map((order) => recordOf(order, t)).join('');
    last = page.length === ROWS_AT_A_TIME ? page.at(-1) : undefined;
    // The embedded database answers without letting go of the turn: shoppers come in between.
    await nextTurn();
  } while (last);
}

function recordOf(order: Order, t: Translate): string {
  return csvRecord(COLUMNS.map(([, cellOf]) => cellOf(order, t)));
}
