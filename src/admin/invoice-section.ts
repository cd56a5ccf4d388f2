import type { InvoiceRequest } from '../db/invoice-requests.js';
import { INVOICE_FIELD_NAMES, INVOICE_FIELDS, type InvoiceFieldName } from '../domain/invoice.js';
import { CFDI_USES, TAX_REGIMES } from '../domain/sat-catalogs.js';
import { formatMoment } from '../locales/format.js';
import type { I18n } from '../web/pages/shop-pages.js';
import type { AdminOrderPage } from './admin-view-models.js';

/** The SAT's names by code. The codes of both catalogs differ. */
const NAMES: Readonly<Record<string, { readonly name: string }>> = { ...TAX_REGIMES, ...CFDI_USES };

/** Builds the invoice section of the order page. */
export function adminInvoice({ t, locale }: I18n, request: InvoiceRequest): AdminOrderPage['invoice'] {
  const moments = [
    { label: t('admin.invoice.requested'), value: formatMoment(request.createdAt, locale) },
    ...(request.version > 1
      ? [{ label: t('admin.invoice.corrected'), value: formatMoment(request.updatedAt, locale) }]
      : []),
  ];
  return {
    facts: INVOICE_FIELD_NAMES.map((name) => ({
      label: t(`fields.${name}.label`),
      value: invoiceText(request, name),
      name: NAMES[invoiceText(request, name)]?.name,
    })),
    moments,
  };
}

/** Returns the stored text of a field. */
export function invoiceText(request: InvoiceRequest, name: InvoiceFieldName): string {
  return request[INVOICE_FIELDS[name].column];
}
