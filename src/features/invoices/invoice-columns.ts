import type { CsvColumns } from '../../web/services.js';
import { INVOICE_FIELD_NAMES, INVOICE_FIELDS } from './invoice.js';
import { findInvoiceRequests } from './repository.js';

/** The requested data in the CSV export of orders. */
export const invoiceColumns: CsvColumns = {
  headings: (t) => INVOICE_FIELD_NAMES.map((name) => t('invoices.csv', { field: t(`fields.${name}.label`) })),
  async readCells(queries, orderIds) {
    const requests = await findInvoiceRequests(queries, orderIds);
    const cells = [...requests.values()].map((request) => {
      const values = INVOICE_FIELD_NAMES.map((name) => request[INVOICE_FIELDS[name].column]);
      return [request.orderId, values] as const;
    });
    return new Map(cells);
  },
};
