import type { Feature } from '../feature.js';
import { adminInvoice } from './admin-invoice.js';
import { invoiceColumns } from './invoice-columns.js';
import { invoiceJobs } from './invoice-jobs.js';
import { addInvoiceRoutes, invoiceSection } from './invoice-routes.js';
import { findInvoiceRequest, invoiceJobKey } from './repository.js';
import { readInvoiceState } from './request-invoice.js';

/** Requests for the invoice (CFDI) of a paid order. */
export const invoices: Feature = {
  name: 'invoices',
  place: 90,
  limits: ['invoice_address', 'invoice_order', 'invoice_all'],
  fieldsWithCardCheck: ['rfc', 'registered_name', 'tax_regime', 'cfdi_use'],
  async orderJobKeys(queries, orderId) {
    const request = await findInvoiceRequest(queries, orderId);
    return request ? [invoiceJobKey(request)] : [];
  },
  addRoutes: addInvoiceRoutes,
  async orderSection(context, order, isOwn) {
    if (order.state !== 'paid') return undefined;
    const { checkout } = context;
    const model = invoiceSection(context, order, await readInvoiceState(checkout, checkout.db.queries, order), isOwn);
    return model && { view: '/invoices/section', model };
  },
  async adminOrderSection(context, { order }, admin) {
    // Tax data is for managers only.
    if (admin.role !== 'manager') return undefined;
    const request = await findInvoiceRequest(context.checkout.db.queries, order.id);
    return request && { view: '/invoices/admin-invoice', place: 'aside', model: adminInvoice(context, request) };
  },
  csvColumns: invoiceColumns,
  jobs: invoiceJobs,
};
