import type { CsvColumns } from '../../web/services.js';
import { INVOICE_FIELD_NAMES, INVOICE_FIELDS } from './invoice.js';
import { findInvoiceRequests, type InvoiceRequest } from './repository.js';

/** The requested data in the CSV export of orders. */
export const invoiceColumns: CsvColumns = {
  headings: (t) => INVOICE_FIELD_NAMES.map((name) => t('invoices.csv', { field: t(`fields.${name}.label`) })),
  async readCells(queries, orderIds) {
    const requests = await findInvoiceRequests(queries, orderIds);
    const cellsOf = (request: InvoiceRequest) =>
      INVOICE_FIELD_NAMES.map((name) => request[INVOICE_FIELDS[name].column]);
    return new Map(requests.map((request) => [request.orderId, cellsOf(request)]));
  },
};
