import type { IRouter, Request, Response } from 'express';
import { ownershipMarkOf } from '../../checkout/order-ownership.js';
import { type InvoiceState, readInvoiceState, requestInvoice } from '../../checkout/request-invoice.js';
import type { Order } from '../../db/orders.js';
import { INVOICE_FIELD_NAMES, INVOICE_FIELDS, readInvoiceData } from '../../domain/invoice.js';
import { CFDI_USES, TAX_REGIMES } from '../../domain/sat-catalogs.js';
import type { I18n } from '../../locales/i18n.js';
import { clientAddressOf } from '../client-address.js';
import { fieldErrors, fieldView, type TypedForm } from '../contact-fields.js';
import type { WebContext } from '../context.js';
import { fieldsOf, postedText } from '../form-body.js';
import { loadedOrder, loadOrder } from '../load-order.js';
import { limitRate } from '../middleware/rate-limit.js';
import { invoicePath, orderPath, paths } from '../paths.js';
import { render } from '../render.js';
import { contextOf } from '../request-context.js';
import { ownershipMarks } from '../session.js';

const TEN_MINUTES_S = 600;
const LIMITS = [
  { name: 'invoice_address', max: 30, seconds: TEN_MINUTES_S, keyOf: clientAddressOf },
  { name: 'invoice_all', max: 600, seconds: TEN_MINUTES_S, keyOf: () => 'invoice' },
] as const;

/**
 * Adds `GET` and `POST /orders/:token/invoice`, the form for the data of an invoice. The order link alone allows a request,
 * and shows no stored data.
 */
export function addInvoiceRoutes(app: IRouter, web: WebContext): void {
  app.get(paths.invoice, loadOrder, (_req, res) => sendPage(res));
  app.post(paths.invoice, limitRate(web, LIMITS), loadOrder, submit);
}

async function submit(req: Request, res: Response): Promise<void> {
  const order = loadedOrder(res);
  const result = readInvoiceData(fieldsOf(req));
  if (!result.ok) {
    const values = Object.fromEntries(INVOICE_FIELD_NAMES.map((name) => [name, postedText(req, name)]));
    return sendPage(res, { values, problems: result.problems });
  }
  const outcome = await requestInvoice(contextOf(res).checkout, order, result.data);
  if (outcome === 'closed') return sendPage(res);
  res.redirect(303, `${orderPath(order)}#invoice`);
}

/**
 * Sends the form, with 422 for posted data with problems. Without a form, if the order is closed for requests, the status
 * is 409. A stored request is shown only to the customer who placed the order.
 */
async function sendPage(res: Response, posted?: TypedForm): Promise<void> {
  const order = loadedOrder(res);
  const i18n = contextOf(res);
  const { t, money, day, checkout } = i18n;
  const { request, deadline } = await readInvoiceState(checkout, checkout.db.queries, order);
  const isOwn = ownershipMarks(res).includes(ownershipMarkOf(order));
  const isOpen = deadline !== undefined;
  const typed = posted ?? { values: isOwn ? storedValues(order, request) : {}, problems: {} };
  const heading = t(isOpen && request ? 'invoice.correct' : 'invoice.title');
  const errors = isOpen ? fieldErrors(i18n, typed, INVOICE_FIELD_NAMES) : [];
  const page = {
    heading,
    order: t('invoice.order', { number: order.number, total: money(order.total) }),
    orderHref: orderPath(order),
    paragraphs: isOpen
      ? [
          t('invoice.intro'),
          t('invoice.until', { day: day(deadline - 1) }),
          ...(request && !isOwn ? [t('invoice.replaces')] : []),
        ]
      : [t('invoice.closed')],
    fields: isOpen ? invoiceFields(i18n, typed) : [],
    errors,
  };
  const hasErrors = errors.length > 0;
  const status = isOpen ? undefined : 409;
  return render(res, 'invoice', { title: heading, hasErrors, page, status, noindex: true });
}

function storedValues({ email }: Order, request: InvoiceState['request']): TypedForm['values'] {
  if (!request) return { email };
  return Object.fromEntries(INVOICE_FIELD_NAMES.map((name) => [name, request[INVOICE_FIELDS[name].column]]));
}

function invoiceFields(i18n: I18n, typed: TypedForm) {
  return INVOICE_FIELD_NAMES.map((name) => ({
    ...fieldView(i18n, typed, name, INVOICE_FIELDS[name]),
    hint: i18n.t(`invoice.hints.${name}`),
    isWide: true,
    options: name === 'tax_regime' || name === 'cfdi_use' ? OPTIONS[name] : [],
    choose: i18n.t('invoice.choose'),
    optionsLang: i18n.locale === 'es-MX' ? undefined : 'es',
  }));
}

/** The SAT's names are Spanish in every locale, because customers compare them with their documents. */
const OPTIONS = { tax_regime: optionsOf(TAX_REGIMES), cfdi_use: optionsOf(CFDI_USES) };

function optionsOf(catalog: Readonly<Record<string, { readonly name: string }>>) {
  return Object.entries(catalog).map(([value, { name }]) => ({ value, label: `${value} – ${name}` }));
}

/** Builds the section of the order page. `undefined` if the invoice was not requested and cannot be requested. */
export function invoiceSection(
  { t, day }: I18n,
  order: Order,
  { request, deadline, mayBeIssued }: InvoiceState,
  isOwn: boolean,
) {
  if (!request && deadline === undefined) return undefined;
  const label = t(request ? 'invoice.correct' : 'invoice.title');
  const names = request && isOwn ? (['rfc', 'email'] as const) : [];
  return {
    text: request
      ? t(mayBeIssued ? 'invoice.received' : 'invoice.receivedOnly', { day: day(request.updatedAt) })
      : t('invoice.offer', { day: day((deadline ?? 0) - 1) }),
    facts: names.map((name) => ({ label: t(`fields.${name}.label`), value: request?.[name] ?? '' })),
    action: deadline === undefined ? undefined : { label, href: invoicePath(order) },
  };
}
