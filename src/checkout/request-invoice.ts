import { findAttempts, payingAttemptOf } from '../db/attempts.js';
import type { Queries } from '../db/connection/database.js';
import { findInvoiceRequest, type InvoiceRequest, invoiceJobKey, putInvoiceRequest } from '../db/invoice-requests.js';
import { lockOrder, type Order, recordEvent } from '../db/orders.js';
import { queueJob } from '../db/outbox.js';
import { findRefunds } from '../db/refunds.js';
import { changesRow } from '../domain/changes-row.js';
import { isFulfillable } from '../domain/fulfillment.js';
import { type InvoiceData, invoiceDeadline } from '../domain/invoice.js';
import type { CheckoutContext } from './context.js';

/** `unchanged`: the same data is stored. `closed`: the order is not open for invoice requests. */
export type InvoiceOutcome = 'requested' | 'corrected' | 'unchanged' | 'closed';

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
  queries: Queries,
  order: Order,
): Promise<InvoiceState> {
  const payingAttempt = payingAttemptOf(order, await findAttempts(queries, order.id));
  const refunds = await findRefunds(queries, order.id);
  const mayBeIssued = isFulfillable(order, payingAttempt, refunds);
  const deadline = mayBeIssued ? invoiceDeadline(order, config.invoiceMonths, clock.now()) : undefined;
  return { request: await findInvoiceRequest(queries, order.id), deadline, mayBeIssued };
}

/**
 * Stores the invoice data of a paid order, or corrects it, until its deadline. The merchant's hook runs for each version. The
 * order's history records it without personal data.
 */
export async function requestInvoice(
  context: CheckoutContext,
  { id: orderId, number }: Pick<Order, 'id' | 'number'>,
  data: InvoiceData,
): Promise<InvoiceOutcome> {
  const at = context.clock.now();
  const outcome = await context.db.transaction(async (queries): Promise<InvoiceOutcome> => {
    const order = await lockOrder(queries, orderId);
    const { request: before, deadline } = await readInvoiceState(context, queries, order);
    if (deadline === undefined) return 'closed';
    if (before && !changesRow(before, data)) return 'unchanged';
    const version = (before?.version ?? 0) + 1;
    const createdAt = before?.createdAt ?? at;
    await putInvoiceRequest(queries, { ...data, orderId, version, createdAt, updatedAt: at });
    const kind = before ? 'invoice_corrected' : 'invoice_requested';
    await recordEvent(queries, { orderId, at, kind, detail: {} });
    const key = invoiceJobKey({ orderId, version });
    await queueJob(queries, { key, orderId, job: 'on_invoice_requested', at });
    return before ? 'corrected' : 'requested';
  });
  context.log.info('invoice.requested', { order: number, to: outcome });
  return outcome;
}
