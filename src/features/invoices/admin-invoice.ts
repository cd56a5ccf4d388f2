import { factList } from '../../admin/order-record.js';
import type { I18n } from '../../locales/i18n.js';
import { INVOICE_FIELD_NAMES, INVOICE_FIELDS } from './invoice.js';
import type { InvoiceRequest } from './repository.js';
import { CFDI_USES, TAX_REGIMES } from './sat-catalogs.js';

/** The SAT's names by code. The codes of both catalogs differ. */
const SAT_NAMES: Readonly<Record<string, { readonly name: string }>> = { ...TAX_REGIMES, ...CFDI_USES };

/** Builds the section of the back office's order page. */
export function adminInvoice({ t, moment }: I18n, request: InvoiceRequest) {
  const { createdAt, updatedAt, version } = request;
  const moments = {
    requested: moment(createdAt),
    corrected: version > 1 ? moment(updatedAt) : '',
  };
  return {
    facts: INVOICE_FIELD_NAMES.map((name) => {
      const value = request[INVOICE_FIELDS[name].column];
      return { label: t(`fields.${name}.label`), value, name: SAT_NAMES[value]?.name };
    }),
    moments: factList(moments, (name) => t(`invoices.admin.${name}`)),
  };
}
