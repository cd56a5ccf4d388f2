import { jobKey, queueJob, recordEvent } from '@tianguis/payments/back-office';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import type { OrderRequest } from '../../shop/order-requests.js';
import type { Transaction } from '../../tables/database.js';
import { lockOrder, type Order } from '../../tables/orders.js';
import {
  type FileKind,
  findAmountToInvoice,
  findFileKinds,
  findInvoiceRequest,
  putInvoiceFile,
  setIssued,
} from './repository.js';

/** `invoice_closed`: another user issued it, or the customer changed the data meanwhile. `invoice_refunded`: nothing is left to invoice. */
type IssueRefusal = 'invoice_closed' | 'invoice_refunded';

/** Stores a file of an invoice that was not issued yet. */
export function attachInvoiceFile(
  { db }: Pick<CheckoutContext, 'db'>,
  request: OrderRequest & { readonly kind: FileKind; readonly bytes: Buffer },
): Promise<'invoice_attached' | IssueRefusal> {
  const { orderId, kind, bytes } = request;
  return db.transaction(async (queries) => {
    const order = await lockOpenRequest(queries, request);
    if (typeof order === 'string') return order;
    await putInvoiceFile(queries, { orderId, kind, bytes });
    return 'invoice_attached';
  });
}

/** Marks an invoice as issued, once. Its files are mailed to the customer. The history of the order records the user. */
export async function issueInvoice(
  { db, clock, log }: Pick<CheckoutContext, 'db' | 'clock' | 'log'>,
  request: OrderRequest,
): Promise<'invoice_issued' | IssueRefusal> {
  const { orderId, by } = request;
  const at = clock.now();
  return db.transaction(async (queries) => {
    const order = await lockOpenRequest(queries, request);
    if (typeof order === 'string') return order;
    await setIssued(queries, orderId, at);
    await recordEvent(queries, { orderId, at, kind: 'invoice_issued', detail: { by } });
    const hasFiles = (await findFileKinds(queries, orderId)).length > 0;
    if (hasFiles)
      await queueJob(queries, { key: jobKey('invoice_issued', orderId), orderId, job: 'invoice_issued', at });
    queries.onCommit(() => log.info('invoice.issued', { order: order.number, user: by }));
    return 'invoice_issued';
  });
}

/** Locks the order, and returns it or why its invoice is not issued. `version` is that of the invoice request. */
async function lockOpenRequest(
  queries: Transaction,
  { orderId, version }: OrderRequest,
): Promise<Order | IssueRefusal> {
  const order = await lockOrder(queries, orderId);
  const request = await findInvoiceRequest(queries, orderId);
  if (request?.version !== version || request.issuedAt !== null) return 'invoice_closed';
  return (await findAmountToInvoice(queries, order)) > 0 ? order : 'invoice_refunded';
}
