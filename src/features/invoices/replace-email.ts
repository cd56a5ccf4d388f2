import { queueJob } from '@tianguis/payments/back-office';
import type { OrderHooks } from '../../shop/order-hooks.js';
import { mailboxKey } from '../../tables/client-limits.js';
import { deleteInvoiceLinks } from './invoice-link.js';
import { findInvoiceRequest, invoiceJobKey, setInvoiceEmail } from './repository.js';

/**
 * Sends the invoice to the corrected address of the order, if it would go to the former one. The merchant's hook runs again
 * unless the invoice is issued. Links that the former address got end.
 */
export const replaceEmail: NonNullable<OrderHooks['contactCorrected']> = async (queries, { before, after, at }) => {
  const { id: orderId } = before;
  if (before.email === after.email) return;
  await deleteInvoiceLinks(queries, orderId);
  const request = await findInvoiceRequest(queries, orderId);
  if (!request || mailboxKey(request.email) !== mailboxKey(before.email)) return;
  const isOpen = request.issuedAt === null;
  const changed = { orderId, email: after.email, updatedAt: at, version: request.version + (isOpen ? 1 : 0) };
  await setInvoiceEmail(queries, changed);
  if (isOpen) await queueJob(queries, { key: invoiceJobKey(changed), orderId, job: 'on_invoice_requested', at });
};
