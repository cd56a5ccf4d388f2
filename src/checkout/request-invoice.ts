import { findAttempts } from '../db/attempts.js';
import { recordEvent } from '../db/history.js';
import { findInvoiceRequest, invoiceJobKey, putInvoiceRequest } from '../db/invoice-requests.js';
import { lockOrder, type Order } from '../db/orders.js';
import { queueJob } from '../db/outbox.js';
import { type InvoiceData, invoiceDeadline, isSameInvoiceData } from '../domain/invoice.js';
import type { CheckoutContext } from './context.js';

/** `unchanged`: the same data is stored. `closed`: the order is not open for invoice requests. */
export type InvoiceOutcome = 'requested' | 'corrected' | 'unchanged' | 'closed';

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
    const paying = (await findAttempts(queries, orderId)).find(({ id }) => id === order.paidAttemptId);
    const { invoiceMonths: months } = context.policy;
    if (invoiceDeadline(order, paying, { months, at }) === undefined) return 'closed';
    const before = await findInvoiceRequest(queries, orderId);
    if (before && isSameInvoiceData(before, data)) return 'unchanged';
    const version = (before?.version ?? 0) + 1;
    await putInvoiceRequest(queries, {
      ...data,
      orderId,
      version,
      createdAt: before?.createdAt ?? at,
      updatedAt: at,
    });
    const kind = before ? 'invoice_corrected' : 'invoice_requested';
    await recordEvent(queries, { orderId, at, kind, detail: {} });
    const key = invoiceJobKey({ orderId, version });
    await queueJob(queries, { key, orderId, job: 'on_invoice_requested', at });
    return before ? 'corrected' : 'requested';
  });
  context.log.info('invoice.requested', { order: number, to: outcome });
  return outcome;
}
