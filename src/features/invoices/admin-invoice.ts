import { factList, type RefusedForm, typedField } from '../../admin/order-record.js';
import type { Order } from '../../db/orders.js';
import type { I18n } from '../../locales/i18n.js';
import { adminOrderPath } from '../../web/paths.js';
import { INVOICE_FIELD_NAMES, INVOICE_FIELDS } from './invoice.js';
import type { FileKind, InvoiceRequest } from './repository.js';
import { CFDI_USES, TAX_REGIMES } from './sat-catalogs.js';

/** The SAT's names by code. The codes of both catalogs differ. */
const SAT_NAMES: Readonly<Record<string, { readonly name: string }>> = { ...TAX_REGIMES, ...CFDI_USES };

interface Issuing {
  readonly order: Pick<Order, 'number'>;
  /** The files that are stored. */
  readonly kinds: readonly FileKind[];
  readonly refused: RefusedForm | undefined;
}

/** Builds the section of the back office's order page. */
export function adminInvoice({ t, moment }: I18n, request: InvoiceRequest, { order, kinds, refused }: Issuing) {
  const { createdAt, updatedAt, version, issuedAt } = request;
  const action = `${adminOrderPath(order)}/invoice`;
  const moments = {
    requested: moment(createdAt),
    corrected: version > 1 ? moment(updatedAt) : '',
    issued: issuedAt === null ? '' : moment(issuedAt),
  };
  return {
    isIssued: issuedAt !== null,
    action,
    version: String(version),
    files: (['pdf', 'xml'] as const).map((kind) => ({
      kind,
      href: kinds.includes(kind) ? `${action}/${kind}` : undefined,
      error: typedField(refused, `invoice_${kind}`).error,
    })),
    facts: INVOICE_FIELD_NAMES.map((name) => {
      const value = request[INVOICE_FIELDS[name].column];
      return { label: t(`fields.${name}.label`), value, name: SAT_NAMES[value]?.name };
    }),
    moments: factList(moments, (name) => t(`invoices.admin.${name}`)),
  };
}
