import { type AdminOrderSection, factList, type OrderRecord, typedField } from '../../admin/order/order-record.js';
import { pathTo } from '../../web/paths.js';
import type { AdminAccess, RequestContext } from '../../web/request-context.js';
import { INVOICE_FIELD_NAMES, INVOICE_FIELDS } from './invoice.js';
import { invoicesPaths } from './paths.js';
import { findAmountToInvoice, findFileKinds, findInvoiceRequest } from './repository.js';
import { CFDI_USES, TAX_REGIMES } from './sat-catalogs.js';

/** The SAT's names by code. The codes of both catalogs differ. */
const SAT_NAMES: Readonly<Record<string, { readonly name: string }>> = { ...TAX_REGIMES, ...CFDI_USES };

/** Returns the section of the back office's order page. Tax data is for managers only. */
export async function adminInvoice(
  { t, money, moment, checkout, isFormerEmail }: RequestContext,
  { order, refused }: OrderRecord,
  { role }: AdminAccess,
): Promise<AdminOrderSection | undefined> {
  const { queries } = checkout.db;
  const request = role === 'manager' ? await findInvoiceRequest(queries, order.id) : undefined;
  if (!request) return undefined;
  const { createdAt, updatedAt, version, issuedAt } = request;
  const kinds = await findFileKinds(queries, order.id);
  const action = pathTo(invoicesPaths.issue, order);
  const amount = await findAmountToInvoice(queries, order);
  const moments = {
    // An issued invoice has the amount of its day.
    amount: issuedAt === null && amount > 0 && amount < order.total ? money(amount) : '',
    requested: moment(createdAt),
    corrected: version > 1 ? moment(updatedAt) : '',
    issued: issuedAt === null ? '' : moment(issuedAt),
  };
  const model = {
    isIssued: issuedAt !== null,
    mayBeIssued: issuedAt === null && amount > 0,
    action,
    version: String(version),
    isFormerEmail: await isFormerEmail?.(queries, [order.id], request.email),
    files: (['pdf', 'xml'] as const).map((kind) => {
      /** The refused file, which the user may store nevertheless. */
      const asked = kind === 'xml' && typedField(refused, 'invoice_file_asked').value;
      return {
        kind,
        href: kinds.includes(kind) ? `${action}/${kind}` : undefined,
        field: {
          id: `invoice_${kind}`,
          name: 'file',
          kind: 'file',
          accept: `.${kind}`,
          label: t(`invoices.files.${kind}`),
          error: typedField(refused, `invoice_${kind}`).error,
          confirmation: asked && { name: 'file_asked', value: asked, label: t('invoices.files.keep') },
        },
      };
    }),
    facts: INVOICE_FIELD_NAMES.map((name) => {
      const value = request[INVOICE_FIELDS[name].column];
      return { label: t(`fields.${name}.label`), value, name: SAT_NAMES[value]?.name };
    }),
    moments: factList(moments, (name) => t(`invoices.admin.${name}`)),
  };
  return { view: '/invoices/views/admin-invoice', place: 'aside', model };
}
