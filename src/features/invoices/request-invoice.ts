import type { Db } from '../../db/database.js';
import { mayFulfill } from '../../db/fulfillments.js';
import { lockOrder, type Order } from '../../db/orders.js';
import { jobKey, queueJob, recordEvent } from '../../payments/index.js';
import { changesRow } from '../../payments/rules/index.js';
import type { CheckoutContext } from '../../shop/context.js';
import { type InvoiceData, invoiceDeadline } from './invoice.js';
import { isInvoiceLink } from './invoice-link.js';
import {
  deleteInvoiceFiles,
  deleteInvoiceLinks,
  findInvoiceRequest,
  type InvoiceRequest,
  invoiceJobKey,
  putInvoiceRequest,
} from './repository.js';

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
    const state = await readInvoiceState(context, queries, order);
    const refusal = await findRefusal(queries, state, { orderId, data, sender, at });
    if (refusal) return refusal;
    const before = state.request;
    const version = (before?.version ?? 0) + 1;
    const createdAt = before?.createdAt ?? at;
    await putInvoiceRequest(queries, { ...data, orderId, version, createdAt, updatedAt: at });
    const kind = before ? 'invoice_corrected' : 'invoice_requested';
    await recordEvent(queries, { orderId, at, kind, detail: {} });
    await deleteInvoiceLinks(queries, orderId);
    await deleteInvoiceFiles(queries, orderId);
    const key = invoiceJobKey({ orderId, version });
    await queueJob(queries, { key, orderId, job: 'on_invoice_requested', at });
    const mailKey = `${jobKey('invoice_changed', orderId)}:${version}`;
    if (order.email !== '') await queueJob(queries, { key: mailKey, orderId, job: 'invoice_changed', at });
    return before ? 'corrected' : 'requested';
  });
  context.log.info('invoice.requested', { order: number, to: outcome });
  return outcome;
}

interface Submission {
  readonly orderId: string;
  readonly data: InvoiceData;
  readonly sender: InvoiceSender;
  readonly at: number;
}

/** Returns why the data is not stored, or `undefined`. */
async function findRefusal(
  queries: Db,
  { request: before, deadline }: InvoiceState,
  { orderId, data, sender, at }: Submission,
): Promise<InvoiceOutcome | undefined> {
  if (deadline === undefined) return 'closed';
  if (!before) return undefined;
  if (!sender.isOwn && !(await isInvoiceLink(queries, orderId, sender.link, at))) return 'link_needed';
  if (!changesRow(before, data)) return 'unchanged';
  return before.version >= MAX_INVOICE_VERSIONS ? 'limited' : undefined;
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
