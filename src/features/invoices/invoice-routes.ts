import type { Request, Response } from 'express';
import type { I18n } from '../../locales/i18n.js';
import type { ClientLimiter } from '../../tables/client-limits.js';
import type { Order } from '../../tables/orders.js';
import { clientOf } from '../../web/client-address.js';
import { fieldErrors, fieldView, type TypedForm } from '../../web/contact-fields.js';
import type { FieldModel } from '../../web/field-model.js';
import type { RefusedForm, Typed } from '../../web/form.js';
import { fieldsOf, postedText, readText } from '../../web/form-body.js';
import { findRefused, redirectToRefused } from '../../web/form-page.js';
import { asksAboutEmail } from '../../web/former-email.js';
import { limiterOf, tooManyAttempts } from '../../web/middleware/rate-limit.js';
import { loadedOrder, loadOrder } from '../../web/order/load-order.js';
import { orderPath } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import type { Route } from '../../web/route.js';
import { ownsOrder } from '../../web/session.js';
import { answerPath, forgetForm, isAnswer, storedText } from '../../web/typed-form.js';
import type { WebContext } from '../../web/web-context.js';
import { INVOICE_FIELD_NAMES, INVOICE_FIELDS, readInvoiceData } from './invoice.js';
import { isInvoiceLink } from './invoice-link.js';
import { invoicePath, invoicesPaths } from './paths.js';
import {
  type InvoiceState,
  MAX_INVOICE_VERSIONS,
  mailInvoiceLink,
  readInvoiceState,
  requestInvoice,
} from './request-invoice.js';
import { CFDI_USES, TAX_REGIMES } from './sat-catalogs.js';

const TEN_MINUTES_S = 600;
const ADDRESS_LIMIT = { name: 'invoice_address', max: 30, seconds: TEN_MINUTES_S, keyOf: clientOf } as const;
const ORDER_LIMIT = { name: 'invoice_order', max: 10, seconds: TEN_MINUTES_S } as const;
/** Stored requests of all customers together. Each runs the merchant's hook. */
const ALL_LIMIT = { name: 'invoice_all', max: 600, seconds: TEN_MINUTES_S } as const;
/** Links by mail for one order in a day. Above it none is sent, and the page does not say so. */
const LINK_LIMIT = { name: 'invoice_link', max: 5, seconds: 86_400 } as const;

type Limiters = Readonly<Record<'order' | 'all', ClientLimiter>>;

/**
 * The routes `GET` and `POST /orders/:token/invoice`, the form for the data of an invoice. The order link alone allows a first
 * request, and shows no stored data. `POST /orders/:token/invoice/link` mails a link with which a person replaces the data.
 */
export function invoiceRoutes(web: WebContext): readonly Route[] {
  const before = [loadOrder];
  const limiters = { order: limiterOf(web, ORDER_LIMIT), all: limiterOf(web, ALL_LIMIT) };
  const links = limiterOf(web, LINK_LIMIT);
  return [
    { get: invoicesPaths.invoice, before, handler: sendPage },
    { post: invoicesPaths.invoice, limit: ADDRESS_LIMIT, before, handler: (req, res) => submit(req, res, limiters) },
    {
      post: invoicesPaths.invoiceLink,
      limit: ADDRESS_LIMIT,
      before,
      handler: (_req, res) => sendInvoiceLink(res, links),
    },
  ];
}

async function sendInvoiceLink(res: Response, links: ClientLimiter): Promise<void> {
  const order = loadedOrder(res);
  if ((await links.count(order.id)) === undefined) await mailInvoiceLink(contextOf(res).checkout, order);
  res.redirect(303, `${invoicePath(order)}?sent=1`);
}

async function submit(req: Request, res: Response, limiters: Limiters): Promise<void> {
  const order = loadedOrder(res);
  const link = postedText(req, 'link');
  const result = readInvoiceData(fieldsOf(req));
  const refuse = (problems: TypedForm['problems'], asked?: Typed) => {
    const typed = Object.fromEntries(INVOICE_FIELD_NAMES.map((name) => [name, storedText(postedText(req, name))]));
    const errors = fieldErrors(contextOf(res), { values: typed, problems }, INVOICE_FIELD_NAMES, INVOICE_FIELDS);
    return redirectToRefused(res, pagePath(order, link), { typed, errors, asked, status: 422 }, invoicePath(order));
  };
  if (!result.ok) return refuse(result.problems);
  const { email } = result.data;
  if (await asksAboutEmail(contextOf(res), fieldsOf(req), [order.id], email))
    return refuse({ email: 'formerEmail' }, { email });
  // The data of an unpaid order is not stored.
  if (order.state === 'paid') await limitRequests(res, order, limiters);
  const sender = { isOwn: ownsOrder(res, order), link };
  const outcome = await requestInvoice(contextOf(res).checkout, order, result.data, sender);
  await forgetForm(res, invoicePath(order));
  // Otherwise the page says why it has no form.
  const isStored = outcome !== 'link_needed' && outcome !== 'closed' && outcome !== 'limited';
  res.redirect(303, isStored ? `${orderPath(order)}#invoice` : answerPath(pagePath(order, link)));
}

/**
 * Throws `too_many_attempts`. The session that owns the order has a count of its own. A request that the limit of its order
 * refuses is not counted for all customers together.
 */
async function limitRequests(res: Response, asked: Order, { order, all }: Limiters): Promise<void> {
  const ofOrder = await order.count(ownsOrder(res, asked) ? `own ${asked.id}` : asked.id);
  if (ofOrder !== undefined) throw tooManyAttempts(res, ORDER_LIMIT.name, ofOrder);
  const ofAll = await all.count('invoice');
  if (ofAll !== undefined) throw tooManyAttempts(res, ALL_LIMIT.name, ofAll);
}

/** What the page offers. `link`: a person without ownership may ask for a link that replaces the stored data. */
type Offer = 'form' | 'link' | 'limited' | 'closed';

async function offerOf(res: Response, { request, deadline }: InvoiceState): Promise<Offer> {
  const { db, clock } = contextOf(res).checkout;
  const order = loadedOrder(res);
  if (deadline === undefined) return 'closed';
  if (!request) return 'form';
  if (request.version >= MAX_INVOICE_VERSIONS) return 'limited';
  const mayReplace = ownsOrder(res, order) || (await isInvoiceLink(db.queries, order.id, linkOf(res), clock.now()));
  return mayReplace ? 'form' : 'link';
}

/** Returns the secret part of the mailed link that opened the page, or an empty text. */
function linkOf({ req }: Response): string {
  return readText(req.query['link']);
}

/** Returns the path of the page. `link`: secret part of a mailed link, or empty. */
function pagePath(order: Order, link: string): string {
  return link === '' ? invoicePath(order) : `${invoicePath(order)}?${new URLSearchParams({ link })}`;
}

/**
 * Sends the form, with 422 for posted data with problems. Without a form the status is 409 if the order is closed for
 * requests, and 403 after a POST without the right. A stored request is shown only to the customer who placed the order.
 */
async function sendPage(_req: Request, res: Response): Promise<void> {
  const order = loadedOrder(res);
  const i18n = contextOf(res);
  const { t, money, checkout } = i18n;
  const state = await readInvoiceState(checkout, checkout.db.queries, order);
  const offer = await offerOf(res, state);
  const isOpen = offer === 'form';
  const refused = isOpen ? await findRefused(res, invoicePath(order), 'rfc') : undefined;
  const heading = t(isOpen && state.request ? 'invoices.correct' : 'invoices.title');
  const page = {
    heading,
    order: t('invoices.order', { number: order.number, total: money(order.total) }),
    orderHref: orderPath(order),
    paragraphs: paragraphsOf(res, state, offer),
    fields: isOpen ? invoiceFields(i18n, refused, ownsOrder(res, order) ? storedValues(order, state.request) : {}) : [],
    /** Posted with the form. */
    link: linkOf(res),
    emailAsked: refused?.asked?.['email'],
    asksForLink: offer === 'link',
    errors: refused?.errors ?? [],
  };
  const isEnded = offer === 'closed' || offer === 'limited';
  return render(res, 'invoices/views/invoice', {
    title: heading,
    hasErrors: page.errors.length > 0,
    page,
    status: isEnded ? 409 : isAnswer(res.req) && offer === 'link' ? 403 : undefined,
    path: invoicePath(order),
    noindex: true,
  });
}

function paragraphsOf(res: Response, { request, deadline }: InvoiceState, offer: Offer): readonly string[] {
  const { t, day } = contextOf(res);
  if (offer === 'closed' || deadline === undefined) return [t('invoices.closed')];
  if (offer === 'limited') return [t('invoices.limited', { count: MAX_INVOICE_VERSIONS })];
  if (offer === 'link' && readText(res.req.query['sent']) !== '') return [t('invoices.linkSent')];
  if (offer === 'link') return [...(linkOf(res) === '' ? [] : [t('invoices.linkUsed')]), t('invoices.linkNeeded')];
  const isForeign = request && !ownsOrder(res, loadedOrder(res));
  const until = t('invoices.until', { day: day(deadline - 1) });
  return [t('invoices.intro'), until, ...(isForeign ? [t('invoices.replaces')] : [])];
}

function storedValues({ email }: Order, request: InvoiceState['request']): Typed {
  if (!request) return { email };
  return Object.fromEntries(INVOICE_FIELD_NAMES.map((name) => [name, request[INVOICE_FIELDS[name].column]]));
}

function invoiceFields(i18n: I18n, refused: RefusedForm | undefined, stored: Typed) {
  const typed = { values: { ...stored, ...refused?.typed }, problems: {} };
  return INVOICE_FIELD_NAMES.map((name) => ({
    ...fieldView(i18n, typed, name, INVOICE_FIELDS[name]),
    error: refused?.errors.find(({ field }) => field === name)?.message,
    hint: i18n.t(`invoices.hints.${name}`),
    isWide: true,
    ...((name === 'tax_regime' || name === 'cfdi_use') && {
      kind: 'list',
      options: OPTIONS[name],
      choose: i18n.t('invoices.choose'),
      optionsLang: i18n.locale === 'es-MX' ? undefined : 'es',
    }),
  })) satisfies readonly FieldModel[];
}

/** The SAT's names are Spanish in every locale, because customers compare them with their documents. */
const OPTIONS = { tax_regime: optionsOf(TAX_REGIMES), cfdi_use: optionsOf(CFDI_USES) };

function optionsOf(catalog: Readonly<Record<string, { readonly name: string }>>) {
  return Object.entries(catalog).map(([value, { name }]) => ({ value, label: `${value} – ${name}` }));
}

/** Returns the section of the order page. `undefined` if the invoice was not requested and cannot be requested. */
export async function invoiceSection({ t, day, checkout }: RequestContext, order: Order, isOwn: boolean) {
  if (order.state !== 'paid') return undefined;
  const { request, deadline, mayBeIssued } = await readInvoiceState(checkout, checkout.db.queries, order);
  if (!request && deadline === undefined) return undefined;
  const label = t(request ? 'invoices.correct' : 'invoices.title');
  const names = request && isOwn ? (['rfc', 'email'] as const) : [];
  const model = {
    text: request?.issuedAt
      ? t('invoices.issued', { day: day(request.issuedAt) })
      : request
        ? t(mayBeIssued ? 'invoices.received' : 'invoices.receivedOnly', { day: day(request.updatedAt) })
        : t('invoices.offer', { day: day((deadline ?? 0) - 1) }),
    facts: names.map((name) => ({ label: t(`fields.${name}.label`), value: request?.[name] ?? '' })),
    action: deadline === undefined ? undefined : { label, href: invoicePath(order) },
  };
  return { view: '/invoices/views/section', model };
}
