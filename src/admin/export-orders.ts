import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextRun } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import type { Response } from 'express';
import { findTranslatedLines } from '../checkout/find-translated-lines.js';
import { findInvoiceRequests, type InvoiceRequest } from '../db/invoice-requests.js';
import type { Order } from '../db/orders.js';
import { sumRefunds } from '../db/refunds.js';
import { type OrderFilter, searchOrders } from '../db/search-orders.js';
import type { OrderLine } from '../domain/cart.js';
import { CONTACT_FIELD_NAMES, CONTACT_FIELDS } from '../domain/contact.js';
import { errorName } from '../domain/error-name.js';
import { INVOICE_FIELD_NAMES, INVOICE_FIELDS } from '../domain/invoice.js';
import { type Centavos, centavos, times, toPesosText } from '../domain/money.js';
import { type TaxedAmount, taxOf } from '../domain/tax.js';
import type { Messages } from '../locales/es-mx.js';
import type { Translate } from '../locales/translations.js';
import { contextOf, type RequestContext } from '../web/request-context.js';

const BATCH_SIZE = 500;
/** Excel reads a file as UTF-8 only with a byte order mark. */
const BYTE_ORDER_MARK = '\ufeff';

/** First characters that make a spreadsheet run a cell as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

interface Column<Row> {
  heading(t: Translate): string;
  cell(row: Row, t: Translate): string;
}

function column<Row>(key: keyof Messages['admin']['csv'], cell: Column<Row>['cell']): Column<Row> {
  return { heading: (t) => t(`admin.csv.${key}`), cell };
}

/** Columns that each row of an order repeats. */
const ORDER_COLUMNS: readonly Column<Order>[] = [
  column('number', (order) => order.number),
  column('placed', (order) => new Date(order.createdAt).toISOString()),
  column('paid', ({ paidAt }) => (paidAt === null ? '' : new Date(paidAt).toISOString())),
  column('state', (order, t) => t(`admin.states.${order.state}`)),
  column('reviewReason', ({ reviewReason }, t) =>
    reviewReason === null ? '' : t(`admin.reasons.${reviewReason}`),
  ),
];

const LINE_COLUMNS: readonly Column<OrderLine>[] = [
  column('product', (line) => line.productId),
  column('name', (line) => line.name),
  column('quantity', (line) => String(line.quantity)),
  column('unitPrice', (line) => toPesosText(line.unitPrice)),
  column('lineTotal', (line) => toPesosText(times(line.unitPrice, line.quantity))),
  column('taxRate', ({ taxRate }, t) => (taxRate === 'exempt' ? t('tax.exempt') : taxRate)),
  column('taxBase', (line) => toPesosText(taxOfLine(line).base)),
  // A product without IVA differs from one at 0 %.
  column('tax', (line) => (line.taxRate === 'exempt' ? '' : toPesosText(taxOfLine(line).tax))),
];

function taxOfLine({ unitPrice, quantity, taxRate }: OrderLine): TaxedAmount {
  return taxOf(times(unitPrice, quantity), taxRate);
}

interface ExportedOrder extends Order {
  readonly refunded: Centavos;
  readonly invoice: InvoiceRequest | undefined;
}

/** Columns that only the first row of an order fills, so that the sum of a column is right. */
const FIRST_ROW_COLUMNS: readonly Column<ExportedOrder>[] = [
  column('total', (order) => toPesosText(order.total)),
  column('refunded', (order) => toPesosText(order.refunded)),
  column('currency', (order) => order.currency),
  ...CONTACT_FIELD_NAMES.map((name) => ({
    heading: (t: Translate) => t(`fields.${name}.label`),
    cell: (order: Order) => order[CONTACT_FIELDS[name].column],
  })),
  ...INVOICE_FIELD_NAMES.map((name) => ({
    heading: (t: Translate) => t('admin.csv.invoice', { field: t(`fields.${name}.label`) }),
    cell: ({ invoice }: ExportedOrder) => (invoice ? invoice[INVOICE_FIELDS[name].column] : ''),
  })),
];

const COLUMNS = [...ORDER_COLUMNS, ...LINE_COLUMNS, ...FIRST_ROW_COLUMNS];

/**
 * Streams the filtered orders as CSV with one row per order line, with at most 500 orders in memory.
 * If a read fails, the connection is closed without a proper end, so that the client notices the incomplete file.
 */
export async function exportOrders(res: Response, filter: OrderFilter): Promise<void> {
  const { log, clock } = contextOf(res).checkout;
  const startedAt = clock.now();
  const written = { count: 0 };
  res.type('text/csv').attachment('pedidos.csv');
  if (res.req.method === 'HEAD') {
    res.end();
    return;
  }
  try {
    await pipeline(Readable.from(recordsOf(contextOf(res), filter, written)), res);
    log.info('orders.exported', { count: written.count, durationMs: clock.now() - startedAt });
  } catch (error) {
    log.warn('orders.export_truncated', { count: written.count, reason: errorName(error) });
  }
}

async function* recordsOf(
  context: RequestContext,
  filter: OrderFilter,
  written: { count: number },
): AsyncGenerator<string> {
  const { t, checkout } = context;
  yield BYTE_ORDER_MARK + csvOf([COLUMNS.map(({ heading }) => heading(t))]);
  let last: Order | undefined;
  do {
    const cursor = last && ({ side: 'after', order: last } as const);
    const page = await searchOrders(checkout.db.queries, { filter, most: BATCH_SIZE, cursor });
    written.count += page.length;
    if (page.length > 0) yield csvOf(await recordsOfPage(context, page));
    last = page.length === BATCH_SIZE ? page.at(-1) : undefined;
    // SQLite is synchronous. Yields to the event loop, so that requests of customers are not delayed.
    await nextRun();
  } while (last);
}

/** The product names are in the first locale of the shop. */
async function recordsOfPage(
  { checkout, settings, t }: RequestContext,
  page: readonly Order[],
): Promise<readonly (readonly string[])[]> {
  const { queries } = checkout.db;
  const ids = page.map(({ id }) => id);
  const lines = await findTranslatedLines(queries, page, settings.locales[0]);
  const invoices = await findInvoiceRequests(queries, ids);
  const refunded = await sumRefunds(queries, ids);
  return page.flatMap((order) => {
    const repeated = ORDER_COLUMNS.map(({ cell }) => cell(order, t));
    const exported = {
      ...order,
      invoice: invoices.get(order.id),
      refunded: refunded.get(order.id) ?? centavos(0),
    };
    return (lines.get(order.id) ?? []).map((line, index) => [
      ...repeated,
      ...LINE_COLUMNS.map(({ cell }) => cell(line, t)),
      ...FIRST_ROW_COLUMNS.map(({ cell }) => (index === 0 ? cell(exported, t) : '')),
    ]);
  });
}

/** Returns CSV records (RFC 4180). A cell that starts like a formula gets an apostrophe and quotes, which make it text. */
function csvOf(records: readonly (readonly string[])[]): string {
  // Some spreadsheets also accept full-width and small signs. NFKC maps them to ASCII.
  const isFormula = (cell: string) => FORMULA.test(cell.charAt(0).normalize('NFKC'));
  return stringify(
    records.map((cells) => cells.map((cell) => (isFormula(cell) ? `'${cell}` : cell))),
    { record_delimiter: '\r\n', quoted_match: /^'|[\r\n]/ },
  );
}
