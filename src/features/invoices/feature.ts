import { jobKey } from '@tianguis/payments/back-office';
import { adminOf, MANAGER } from '../../admin/permissions.js';
import { contextOf } from '../../web/request-context.js';
import type { Feature } from '../feature.js';
import { adminInvoice } from './admin-invoice.js';
import { attachFile, markIssued, sendFile, sendInvoices, toIssueCards } from './admin-routes.js';
import { INVOICE_FIELDS } from './invoice.js';
import { invoiceColumns } from './invoice-columns.js';
import { invoiceJobs } from './invoice-jobs.js';
import { invoiceRoutes, invoiceSection } from './invoice-routes.js';
import { invoicesPaths } from './paths.js';
import { replaceEmail } from './replace-email.js';
import { findInvoiceRequest, invoiceJobKey } from './repository.js';

/** Requests for the invoice (CFDI) of a paid order, and the invoices that the merchant issues. */
export const invoices: Feature = {
  name: 'invoices',
  place: 90,
  needs: ['uploads'],
  adminRoutes: () => [
    {
      get: invoicesPaths.list,
      roles: MANAGER,
      handler: sendInvoices,
      link: { on: 'orders', label: (t) => t('invoices.list') },
    },
    { post: invoicesPaths.issue, roles: MANAGER, handler: markIssued },
    { get: invoicesPaths.file, roles: MANAGER, handler: sendFile },
    { post: invoicesPaths.file, roles: MANAGER, upload: true, handler: attachFile },
  ],
  limits: ['invoice_address', 'invoice_order', 'invoice_all'],
  forms: [INVOICE_FIELDS],
  async orderJobKeys(queries, orderId) {
    const request = await findInvoiceRequest(queries, orderId);
    return request ? [invoiceJobKey(request), jobKey('invoice_issued', orderId)] : [];
  },
  contactCorrected: replaceEmail,
  routes: invoiceRoutes,
  slots: {
    'order.page': (res, order, isOwn) => invoiceSection(contextOf(res), order, isOwn),
    'admin-order.section': (res, record) => adminInvoice(contextOf(res), record, adminOf(res)),
    'overview.work': (res) => toIssueCards(contextOf(res), adminOf(res)),
  },
  csvColumns: invoiceColumns,
  jobs: invoiceJobs,
};
