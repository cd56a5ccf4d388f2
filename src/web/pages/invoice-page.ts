import type { InvoiceState } from '../../checkout/request-invoice.js';
import type { Order } from '../../db/orders.js';
import { holdsCardNumber } from '../../domain/card-data.js';
import {
  INVOICE_FIELD_NAMES,
  INVOICE_FIELDS,
  type InvoiceFieldName,
  type InvoiceProblem,
  type InvoiceProblems,
} from '../../domain/invoice.js';
import { CFDI_USE_CODES, CFDI_USES, TAX_REGIME_CODES, TAX_REGIMES } from '../../domain/sat-catalogs.js';
import { formatDay, formatMoney } from '../../locales/format.js';
import type { ContactFieldView, InvoicePage, InvoiceSection, OptionView } from '../view-models.js';
import { problemText } from './contact-fields.js';
import type { I18n } from './shop-pages.js';

/** Posted values and their validation problems. */
export interface TypedInvoice {
  readonly values: Readonly<Partial<Record<InvoiceFieldName, string>>>;
  readonly problems: InvoiceProblems;
}

/** Builds the section of the order page. `undefined` if the invoice was not requested and cannot be requested. */
export function invoiceSection(
  { t, locale }: I18n,
  order: Order,
  { request, deadline, isOwn }: InvoiceState & { readonly isOwn: boolean },
): InvoiceSection | undefined {
  if (!request && deadline === undefined) return undefined;
  const text = request
    ? t('invoice.received', { day: formatDay(request.updatedAt, locale) })
    : t('invoice.offer', { day: formatDay((deadline ?? 0) - 1, locale) });
  const label = t(request ? 'invoice.correct' : 'invoice.title');
  const names = ['rfc', 'email'] as const;
  return {
    text,
    facts:
      request && isOwn
        ? names.map((name) => ({ label: t(`fields.${name}.label`), value: request[name] }))
        : [],
    ...(deadline !== undefined && { action: { label, href: invoicePath(order) } }),
  };
}

/** Builds the model of the form. It shows a stored request only to the customer who placed the order. */
export function invoicePage(
  i18n: I18n,
  order: Order,
  input: InvoiceState & { readonly isOwn: boolean; readonly typed: TypedInvoice | undefined },
): InvoicePage {
  const { t, locale } = i18n;
  const { request, deadline, typed } = input;
  const isOpen = deadline !== undefined;
  const shown = typed ?? { values: storedValues(order, input), problems: {} };
  const until = isOpen ? t('invoice.until', { day: formatDay(deadline - 1, locale) }) : '';
  return {
    heading: t(request && isOpen ? 'invoice.correct' : 'invoice.title'),
    order: t('invoice.order', { number: order.number, total: formatMoney(order.total, locale) }),
    paragraphs: isOpen
      ? [t('invoice.intro'), until, ...(request && !input.isOwn ? [t('invoice.replaces')] : [])]
      : [t('invoice.closed')],
    fields: isOpen ? INVOICE_FIELD_NAMES.map((name) => fieldView(i18n, name, shown)) : [],
    errors: INVOICE_FIELD_NAMES.flatMap((field) => {
      const problem = isOpen && shown.problems[field];
      return problem ? [{ field, message: messageFor(i18n, field, problem) }] : [];
    }),
    action: invoicePath(order),
    orderHref: `/orders/${order.token}`,
  };
}

function invoicePath({ token }: Order): string {
  return `/orders/${token}/invoice`;
}

function storedValues(
  { email }: Order,
  { request, isOwn }: Pick<InvoiceState, 'request'> & { readonly isOwn: boolean },
): TypedInvoice['values'] {
  if (!isOwn) return {};
  if (!request) return { email };
  return Object.fromEntries(INVOICE_FIELD_NAMES.map((name) => [name, request[INVOICE_FIELDS[name].column]]));
}

function fieldView(i18n: I18n, name: InvoiceFieldName, { values, problems }: TypedInvoice): ContactFieldView {
  const { t, locale } = i18n;
  const value = values[name] ?? '';
  const problem = problems[name];
  return {
    name,
    label: t(`fields.${name}.label`),
    hint: t(`invoice.hints.${name}`),
    type: name === 'email' ? 'email' : 'text',
    autocomplete: name === 'email' ? 'email' : 'off',
    inputMode: name === 'postal_code' ? 'numeric' : undefined,
    maxLength: INVOICE_FIELDS[name].maxLength,
    isRequired: true,
    isWide: true,
    scriptError: t(`fields.${name}.required`),
    // A possible card number must not appear in any response.
    value: holdsCardNumber(value) ? '' : value,
    error: problem && messageFor(i18n, name, problem),
    options: optionsOf(name, value),
    choose: t('invoice.choose'),
    optionsLang: locale === 'es-MX' ? undefined : 'es',
  };
}

/** The SAT's names are Spanish in every locale, because customers compare them with their documents. */
function optionsOf(name: InvoiceFieldName, chosen: string): readonly OptionView[] {
  const option = (value: string, label: string) => ({
    value,
    label: `${value} – ${label}`,
    selected: value === chosen,
  });
  if (name === 'tax_regime') return TAX_REGIME_CODES.map((code) => option(code, TAX_REGIMES[code].name));
  return name === 'cfdi_use' ? CFDI_USE_CODES.map((code) => option(code, CFDI_USES[code].name)) : [];
}

function messageFor(i18n: I18n, field: InvoiceFieldName, problem: InvoiceProblem): string {
  const { t } = i18n;
  if (problem === 'publicRfc') return t('fields.rfc.publicRfc');
  if (problem === 'otherKind') return t('fields.tax_regime.otherKind');
  if (problem === 'otherRegime') return t('fields.cfdi_use.otherRegime');
  return problemText(i18n, field, problem);
}
