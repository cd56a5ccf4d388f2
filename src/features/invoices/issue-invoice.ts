import type { Transaction } from '../../db/database.js';
import { lockOrder } from '../../db/orders.js';
import { jobKey, queueJob, recordEvent } from '../../payments/index.js';
import type { CheckoutContext } from '../../shop/context.js';
import type { OrderRequest } from '../../shop/order-actions.js';
import { type FileKind, findFileKinds, findInvoiceRequest, putInvoiceFile, setIssued } from './repository.js';

/**
 * Stores a file of an invoice that was not issued yet. `invoice_closed`: another user issued it, or the customer changed the
 * data meanwhile.
 */
export function attachInvoiceFile(
  { db }: Pick<CheckoutContext, 'db'>,
  request: OrderRequest & { readonly kind: FileKind; readonly bytes: Buffer },
): Promise<'invoice_attached' | 'invoice_closed'> {
  const { orderId, kind, bytes } = request;
  return db.transaction(async (queries) => {
    if (!(await lockOpenRequest(queries, request))) return 'invoice_closed';
    await putInvoiceFile(queries, { orderId, kind, bytes });
    return 'invoice_attached';
  });
}

/** Marks an invoice as issued, once. Its files are mailed to the customer. The history of the order records the user. */
export async function issueInvoice(
  { db, clock, log }: Pick<CheckoutContext, 'db' | 'clock' | 'log'>,
  request: OrderRequest,
): Promise<'invoice_issued' | 'invoice_closed'> {
  const { orderId, by } = request;
  const at = clock.now();
  return db.transaction(async (queries) => {
    const order = await lockOpenRequest(queries, request);
    if (!order) return 'invoice_closed';
    await setIssued(queries, orderId, at);
    await recordEvent(queries, { orderId, at, kind: 'invoice_issued', detail: { by } });
    const hasFiles = (await findFileKinds(queries, orderId)).length > 0;
    if (hasFiles)
      await queueJob(queries, { key: jobKey('invoice_issued', orderId), orderId, job: 'invoice_issued', at });
    queries.onCommit(() => log.info('invoice.issued', { order: order.number, user: by }));
    return 'invoice_issued';
  });
}

/** Locks the order. `version` is that of the invoice request. `undefined`: its invoice is issued, or its data is another version. */
async function lockOpenRequest(queries: Transaction, { orderId, version }: OrderRequest) {
  const order = await lockOrder(queries, orderId);
  const request = await findInvoiceRequest(queries, orderId);
  return request?.version === version && request.issuedAt === null ? order : undefined;
}
