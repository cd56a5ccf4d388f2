import type { InvoiceState } from '../../checkout/request-invoice.js';
import type { Order } from '../../db/orders.js';
import { INVOICE_FIELD_NAMES, INVOICE_FIELDS } from '../../domain/invoice.js';
import { CFDI_USES, TAX_REGIMES } from '../../domain/sat-catalogs.js';
import { formatDay, formatMoney } from '../../locales/format.js';
import { fieldErrors, fieldView, type TypedForm } from './contact-fields.js';
import type { I18n } from './shop-pages.js';

/** Builds the section of the order page. `undefined` if the invoice was not requested and cannot be requested. */
export function invoiceSection(
  { t, locale }: I18n,
  order: Order,
  { request, deadline }: InvoiceState,
  isOwn: boolean,
) {
  if (!request && deadline === undefined) return undefined;
  const label = t(request ? 'invoice.correct' : 'invoice.title');
  const names = request && isOwn ? (['rfc', 'email'] as const) : [];
  return {
    text: request
      ? t('invoice.received', { day: formatDay(request.updatedAt, locale) })
      : t('invoice.offer', { day: formatDay((deadline ?? 0) - 1, locale) }),
    facts: names.map((name) => ({ label: t(`fields.${name}.label`), value: request?.[name] ?? '' })),
    action: deadline === undefined ? undefined : { label, href: `/orders/${order.token}/invoice` },
  };
}

/** Builds the model of views/invoice.ejs. It shows a stored request only to the customer who placed the order. */
export function invoicePage(
  i18n: I18n,
  order: Order,
  { request, deadline }: InvoiceState,
  { isOwn, posted }: { readonly isOwn: boolean; readonly posted: TypedForm | undefined },
) {
  const { t, locale } = i18n;
  const orderText = t('invoice.order', { number: order.number, total: formatMoney(order.total, locale) });
  const orderHref = `/orders/${order.token}`;
  const action = `${orderHref}/invoice`;
  const common = { order: orderText, orderHref, action };
  if (deadline === undefined)
    return {
      ...common,
      heading: t('invoice.title'),
      paragraphs: [t('invoice.closed')],
      fields: [],
      errors: [],
    };
  const typed = posted ?? { values: isOwn ? storedValues(order, request) : {}, problems: {} };
  return {
    ...common,
    heading: t(request ? 'invoice.correct' : 'invoice.title'),
    paragraphs: [
      t('invoice.intro'),
      t('invoice.until', { day: formatDay(deadline - 1, locale) }),
      ...(request && !isOwn ? [t('invoice.replaces')] : []),
    ],
    fields: INVOICE_FIELD_NAMES.map((name) => ({
      ...fieldView(i18n, typed, name, INVOICE_FIELDS[name]),
      hint: t(`invoice.hints.${name}`),
      isWide: true,
      options: name === 'tax_regime' || name === 'cfdi_use' ? OPTIONS[name] : [],
      choose: t('invoice.choose'),
      optionsLang: locale === 'es-MX' ? undefined : 'es',
    })),
    errors: fieldErrors(i18n, typed, INVOICE_FIELD_NAMES),
  };
}

function storedValues({ email }: Order, request: InvoiceState['request']): TypedForm['values'] {
  if (!request) return { email };
  return Object.fromEntries(INVOICE_FIELD_NAMES.map((name) => [name, request[INVOICE_FIELDS[name].column]]));
}

/** The SAT's names are Spanish in every locale, because customers compare them with their documents. */
const OPTIONS = { tax_regime: optionsOf(TAX_REGIMES), cfdi_use: optionsOf(CFDI_USES) };

function optionsOf(catalog: Readonly<Record<string, { readonly name: string }>>) {
  return Object.entries(catalog).map(([value, { name }]) => ({ value, label: `${value} – ${name}` }));
}
