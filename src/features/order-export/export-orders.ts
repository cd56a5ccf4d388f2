import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextRun } from 'node:timers/promises';
import { findAttemptsOfOrders, findRemainders } from '@tianguis/payments/back-office';
import {
  type Attempt,
  type Centavos,
  errorName,
  hasGatewayId,
  payingAttemptOf,
  times,
  toPesosText,
} from '@tianguis/payments/rules';
import type { Response } from 'express';
import { findAdminLines } from '../../admin/order/order-record.js';
import { adminOf } from '../../admin/permissions.js';
import { stateName } from '../../locales/address.js';
import { shippingLabel } from '../../locales/frozen-shipping.js';
import type { Translate } from '../../locales/translations.js';
import type { OrderLine } from '../../shop/rules/cart.js';
import { CONTACT_FIELD_NAMES, CONTACT_FIELDS } from '../../shop/rules/contact.js';
import { netOf } from '../../shop/rules/discount.js';
import { localTime } from '../../shop/rules/mexico-day.js';
import { taxTotals } from '../../shop/rules/tax.js';
import type { Order } from '../../tables/orders.js';
import { type OrderFilter, searchOrders } from '../../tables/search-orders.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import type { CsvColumns } from '../../web/services.js';
import { BYTE_ORDER_MARK, csvOf } from './csv.js';
import type { esMx } from './es-mx.js';

const BATCH_SIZE = 500;
interface ExportedLine {
  readonly order: Order;
  readonly line: OrderLine;
  readonly isFirst: boolean;
  /** The cells of the features, in the order of their headings. */
  readonly further: readonly string[];
  /** The attempt that paid the order, else the newest one that the gateway knows. */
  readonly attempt: Attempt | undefined;
  /** What is left of a paid order after refunds and chargebacks. */
  readonly remainder: Centavos | undefined;
}

type Column = readonly [heading: string, cell: (row: ExportedLine) => string];

function columnsOf(t: Translate, features: readonly CsvColumns[]): readonly Column[] {
  const column = (name: keyof typeof esMx, cell: Column[1]): Column => [t(`orderExport.${name}`), cell];
  // Only the first row of an order has these cells, so that the sum of a column is right.
  const ofOrder: readonly Column[] = [
    column('total', ({ order }) => toPesosText(order.total)),
    column('remainder', ({ remainder }) => (remainder === undefined ? '' : toPesosText(remainder))),
    column('currency', ({ order }) => order.currency),
    column('reference', ({ attempt }) => attempt?.reference ?? ''),
    column('gatewayId', ({ attempt }) => attempt?.gatewayId ?? ''),
    column('paymentId', ({ attempt }) => attempt?.paymentId ?? ''),
    column('transactionId', ({ attempt }) => attempt?.transactionId ?? ''),
    column('provider', ({ attempt }) => attempt?.provider ?? ''),
    column('shippingOption', ({ order }) => shippingLabel(t, order)),
    ...CONTACT_FIELD_NAMES.map((name): Column => {
      const { column: stored } = CONTACT_FIELDS[name];
      const isState = stored === 'deliveryState';
      return [t(`fields.${name}.label`), ({ order }) => (isState ? stateName(t, order) : order[stored])];
    }),
    ...features
      .flatMap(({ headings }) => headings(t))
      .map((heading, index): Column => [heading, ({ further }) => further[index] ?? '']),
  ];
  return [
    column('number', ({ order }) => order.number),
    column('placed', ({ order }) => localTime(order.createdAt)),
    column('paid', ({ order }) => (order.paidAt === null ? '' : localTime(order.paidAt))),
    column('confirmed', ({ order }) => (order.confirmedAt === null ? '' : localTime(order.confirmedAt))),
    column('state', ({ order }) => t(`admin.states.${order.state}`)),
    column('reviewReason', ({ order: { reviewReason } }) =>
      reviewReason === null ? '' : t(`admin.reasons.${reviewReason}`),
    ),
    column('product', ({ line }) => line.productId),
    column('name', ({ line }) => line.name),
    column('quantity', ({ line }) => String(line.quantity)),
    column('unitPrice', ({ line }) => toPesosText(line.unitPrice)),
    column('lineTotal', ({ line }) => toPesosText(times(line.unitPrice, line.quantity))),
    column('discount', ({ line }) => toPesosText(line.discount)),
    column('netTotal', ({ line }) => toPesosText(netOf(line))),
    column('taxRate', ({ line }) => (line.taxRate === 'exempt' ? t('orderExport.exempt') : line.taxRate)),
    column('taxBase', ({ line }) => toPesosText(taxTotals([line]).base)),
    // A product without IVA differs from one at 0 %.
    column('tax', ({ line }) => (line.taxRate === 'exempt' ? '' : toPesosText(taxTotals([line]).tax))),
    ...ofOrder.map(([heading, cell]): Column => [heading, (row) => (row.isFirst ? cell(row) : '')]),
  ];
}

/**
 * Streams the filtered orders as CSV, logged with the user, with one row per order line and times of Mexico City. At most 500 orders are in memory.
 * If a read fails, the connection is closed without a proper end, so that the client detects the incomplete file.
 */
export async function exportOrders(res: Response, filter: OrderFilter, features: readonly CsvColumns[]): Promise<void> {
  const { log, clock } = contextOf(res).checkout;
  const user = adminOf(res).name;
  const startedAt = clock.now();
  const written = { count: 0 };
  res.type('text/csv').attachment('pedidos.csv');
  if (res.req.method === 'HEAD') {
    res.end();
    return;
  }
  try {
    await pipeline(Readable.from(recordsOf(contextOf(res), { filter, features }, written)), res);
    log.info('orders.exported', { user, count: written.count, durationMs: clock.now() - startedAt });
  } catch (error) {
    log.warn('orders.export_truncated', { user, count: written.count, reason: errorName(error) });
  }
}

async function* recordsOf(
  context: RequestContext,
  { filter, features }: { readonly filter: OrderFilter; readonly features: readonly CsvColumns[] },
  written: { count: number },
): AsyncGenerator<string> {
  const { queries } = context.checkout.db;
  const columns = columnsOf(context.t, features);
  yield BYTE_ORDER_MARK + csvOf([columns.map(([heading]) => heading)]);
  let last: Order | undefined;
  do {
    const cursor = last && ({ side: 'after', order: last } as const);
    const page = await searchOrders(queries, { filter, limit: BATCH_SIZE, cursor });
    written.count += page.length;
    const rows = page.length > 0 ? await rowsOf(context, page, features) : [];
    yield csvOf(rows.map((row) => columns.map(([, cell]) => cell(row))));
    last = page.length === BATCH_SIZE ? page.at(-1) : undefined;
    // SQLite is synchronous. Yields to the event loop, so that requests of customers are not delayed.
    await nextRun();
  } while (last);
}

async function rowsOf(
  context: RequestContext,
  page: readonly Order[],
  features: readonly CsvColumns[],
): Promise<readonly ExportedLine[]> {
  const { queries } = context.checkout.db;
  const ids = page.map(({ id }) => id);
  const lines = await findAdminLines(context, page);
  const furtherOf = await readFurtherCells(context, ids, features);
  const remainders = await findRemainders(queries, page);
  const attempts = await findAttemptsOfOrders(queries, ids);
  return page.flatMap((order) => {
    const further = furtherOf(order.id);
    const own = lines.get(order.id) ?? [];
    const attempt = exportedAttempt(order, attempts.get(order.id) ?? []);
    const remainder = order.paidAttemptId === null ? undefined : (remainders.get(order.id) ?? order.total);
    const ofOrder = { order, further, attempt, remainder };
    return own.map((line, index) => ({ ...ofOrder, line, isFirst: index === 0 }));
  });
}

/** Reads the cells of the features. Returns a function that returns those of an order. */
async function readFurtherCells(
  { t, checkout }: RequestContext,
  ids: readonly string[],
  features: readonly CsvColumns[],
) {
  const read = features.map(async ({ headings, readCells }) => ({
    blank: headings(t).map(() => ''),
    cells: await readCells(checkout.db.queries, ids, t),
  }));
  const parts = await Promise.all(read);
  return (id: string) => parts.flatMap(({ blank, cells }) => cells.get(id) ?? blank);
}

function exportedAttempt(order: Order, attempts: readonly Attempt[]): Attempt | undefined {
  return payingAttemptOf(order, attempts) ?? attempts.findLast(hasGatewayId);
}
