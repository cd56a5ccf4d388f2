import { jobKey, queueJob, recordEvent } from '@tianguis/payments/back-office';
import { changesRow } from '@tianguis/payments/rules';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import type { Db } from '../../tables/database.js';
import { mayFulfill } from '../../tables/fulfillments.js';
import { lockOrder, type Order } from '../../tables/orders.js';
import { type InvoiceData, invoiceDeadline } from './invoice.js';
import { deleteInvoiceLinks, isInvoiceLink } from './invoice-link.js';
import { findInvoiceRequest, type InvoiceRequest, invoiceJobKey, putInvoiceRequest } from './repository.js';

/** The first data and four corrections. */
export const MAX_INVOICE_VERSIONS = 5;

/**
 * `unchanged`: the same data is stored. `closed`: the order is not open for invoice requests. `limited`: the data was changed
 * too often. `link_needed`: the sender may not replace stored data.
 */
export type InvoiceOutcome = 'requested' | 'corrected' | 'unchanged' | 'closed' | 'limited' | 'link_needed';

export interface InvoiceSender {
  /** Whether the session owns the order. */
  readonly isOwn: boolean;
  /** Secret part of a link that was mailed to the order's address, or empty. */
  readonly link: string;
}

/** The stored request, and the time until which the customer may send or correct it. Without a time it is closed. */
export interface InvoiceState {
  readonly request: InvoiceRequest | undefined;
  readonly deadline: number | undefined;
  /** False if the order is refunded or in review. Does not depend on the deadline. */
  readonly mayBeIssued: boolean;
}

/** Reads whether the invoice of an order was requested and may be requested. */
export async function readInvoiceState(
  { clock, config }: Pick<CheckoutContext, 'clock' | 'config'>,
  queries: Db,
  order: Order,
): Promise<InvoiceState> {
  const mayBeIssued = await mayFulfill(queries, order);
  const request = await findInvoiceRequest(queries, order.id);
  const isOpen = mayBeIssued && (request?.issuedAt ?? null) === null;
  const deadline = isOpen ? invoiceDeadline(order, config.invoiceMonths, clock.now()) : undefined;
  return { request, deadline, mayBeIssued };
}

/**
 * Stores the invoice data of a paid order, or corrects it, until its deadline. A person with the order link may send the first
 * data. Stored data is replaced only by the session that owns the order, or once with a mailed link. For each version the
 * merchant's hook runs, and the customer gets a mail. The order's history records it without personal data.
 */
export async function requestInvoice(
  context: CheckoutContext,
  { id: orderId, number }: Pick<Order, 'id' | 'number'>,
  data: InvoiceData,
  sender: InvoiceSender,
): Promise<InvoiceOutcome> {
  const at = context.clock.now();
  const outcome = await context.db.transaction(async (queries): Promise<InvoiceOutcome> => {
    const order = await lockOrder(queries, orderId);
    const { request: before, deadline } = await readInvoiceState(context, queries, order);
    if (deadline === undefined) return 'closed';
    if (before && !sender.isOwn && !(await isInvoiceLink(queries, orderId, sender.link, at))) return 'link_needed';
    if (before && !changesRow(before, data)) return 'unchanged';
    const { version, createdAt } = before ?? { version: 0, createdAt: at };
    if (version >= MAX_INVOICE_VERSIONS) return 'limited';
    await storeRequest(queries, order, { ...data, orderId, version: version + 1, createdAt, updatedAt: at });
    return before ? 'corrected' : 'requested';
  });
  context.log.info('invoice.requested', { order: number, to: outcome });
  return outcome;
}

/** Writes a version of the data, and queues its hook and its mail. Links to the form end. */
async function storeRequest(queries: Db, { id: orderId, email }: Order, request: Omit<InvoiceRequest, 'issuedAt'>) {
  const { version, updatedAt: at } = request;
  await putInvoiceRequest(queries, request);
  await deleteInvoiceLinks(queries, orderId);
  const kind = version === 1 ? 'invoice_requested' : 'invoice_corrected';
  await recordEvent(queries, { orderId, at, kind, detail: {} });
  await queueJob(queries, { key: invoiceJobKey(request), orderId, job: 'on_invoice_requested', at });
  const mailKey = `${jobKey('invoice_changed', orderId)}:${version}`;
  if (email !== '') await queueJob(queries, { key: mailKey, orderId, job: 'invoice_changed', at });
}

/** At most one mail per order in each 10 min window. */
const LINK_WINDOW_MS = 10 * 60 * 1000;

/** Queues a mail to the order's address with a link that replaces the invoice data once. Does nothing without such data. */
export async function mailInvoiceLink(context: CheckoutContext, order: Order): Promise<void> {
  const { db, clock } = context;
  const { request, deadline } = await readInvoiceState(context, db.queries, order);
  if (order.email === '' || !request || deadline === undefined || request.version >= MAX_INVOICE_VERSIONS) return;
  const at = clock.now();
  const key = `invoice_link:${order.id}:${Math.floor(at / LINK_WINDOW_MS)}`;
  await queueJob(db.queries, { key, orderId: order.id, job: 'invoice_link', at });
}
