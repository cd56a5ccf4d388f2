import { type Centavos, holdsCardNumber, isCardNumberAsPhone, isUncertain } from '@tianguis/payments/rules';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { discountRow } from '../locales/discount-row.js';
import type { I18n } from '../locales/i18n.js';
import { deliveryTime, optionPrice } from '../locales/shipping-text.js';
import { orderIdOf, ownershipMarkOf } from '../shop/order-ownership.js';
import { findNotSetAside, limitedPieces } from '../shop/reserve-stock.js';
import type { PricedCart } from '../shop/rules/cart.js';
import {
  ADDRESS_FORM_NAMES,
  CONTACT_FIELD_NAMES,
  CONTACT_FIELDS,
  isRemembered,
  ORDER_FIELD_NAMES,
  readState,
} from '../shop/rules/contact.js';
import { CHOICE_FIELDS, hasDelivery, isExact, type Quote, quotesFor, readChoice } from '../shop/rules/fees.js';
import { type Destination, reachableZones } from '../shop/rules/shipping-table.js';
import { ShopError } from '../shop/rules/shop-error.js';
import { isSeenCart, seenOf } from '../shop/seen.js';
import { findOrder, type Order } from '../tables/orders.js';
import { priceNotices, readSessionCart } from './cart-page.js';
import { clientKeysOf } from './client-address.js';
import { closingText } from './closing.js';
import { contactFields, fieldErrors, messageFor, type TypedForm } from './contact-fields.js';
import { type FlowPages, flowForm } from './flow-pages.js';
import { type Fields, fieldsOf, readText } from './form-body.js';
import { paths } from './paths.js';
import { contextOf, type RequestContext } from './request-context.js';
import { ownershipMarks } from './session.js';
import { findForm, isAnswer, isWaitOver, redirectToForm, storedText, waitText } from './typed-form.js';

/** A checkout form: the status of its page and what it shows beside the cart. */
export interface FormAnswer {
  readonly status: number;
  readonly typed: TypedForm;
  /** Error message for the fields that only this payment flow has. */
  readonly problem?: string;
  readonly notices?: readonly string[];
  /** What the posted page showed, by `seenOf`. The page says what differs now. */
  readonly seen?: string;
  /** When the customer may try again, in milliseconds since 1970. */
  readonly retryAt?: number;
  /** Warns that an earlier attempt may still be charged. Default: {@link isPayAgain}. */
  readonly payAgain?: boolean;
}

/** `isOfOrder`: the last order of the session had this form. */
type StoredForm = FormAnswer & { readonly isOfOrder: boolean };

/** Returns the form of this page: the answer to a POST, what the customer typed before, or what the last order of the session offers. */
export async function readForm(res: Response): Promise<FormAnswer> {
  const found = await findForm<StoredForm>(res, paths.checkout);
  const order = found?.isOfOrder === false ? undefined : await lastOrder(res);
  const stored = found?.isOfOrder && !(order && isToPay(res, order)) ? undefined : found;
  if (stored && isAnswer(res.req) && !isWaitOver(res, stored))
    return stored.status === 429 ? { ...stored, notices: [waitText(res)] } : stored;
  const values = stored?.typed.values ?? (order ? offeredAgain(res, order) : {});
  const isLost = isAnswer(res.req) && Object.keys(values).length === 0;
  const notices = isLost ? [contextOf(res).t('notices.formLost')] : [];
  return { status: 200, typed: { values, problems: {} }, notices };
}

/** Stores the answer to a POST and redirects to `path`, which shows it. Without a cart, redirects to `/cart`. */
export async function redirectToCheckout(res: Response, path: string, answer: FormAnswer): Promise<void> {
  if (res.req.session.cartId === undefined) return res.redirect(303, paths.cart);
  const { payAgain = isPayAgain(res.req) } = answer;
  const seen = readText(fieldsOf(res.req)['seen']);
  const order = await lastOrder(res);
  const form: StoredForm = { ...answer, seen, isOfOrder: order !== undefined && isToPay(res, order) };
  await redirectToForm(res, payAgain ? `${path}?pay_again=1` : path, form, { page: paths.checkout });
}

/**
 * Stores the posted values and redirects to `path`, if the customer pressed a button that updates the total or selects the
 * other payment flow. Such a post is no payment attempt.
 */
export function refreshForm(path: string): RequestHandler {
  return async (req, res, next) => {
    const fields = fieldsOf(req);
    if (fields['update_total'] === undefined) return next();
    await redirectToCheckout(res, path, { status: 200, typed: { values: typedTexts(fields), problems: {} } });
  };
}

/** Redirects a customer whom a limit refuses to the form. Without a cart, the error passes on. */
export function redirectLimited(path: string): ErrorRequestHandler {
  return async (error: unknown, req, res, next) => {
    const isLimited = error instanceof ShopError && error.code === 'too_many_attempts';
    if (!isLimited || req.session.cartId === undefined) return next(error);
    const retryAt = contextOf(res).checkout.clock.now() + Number(res.get('Retry-After')) * 1000;
    const typed = { values: typedTexts(fieldsOf(req)), problems: {} };
    await redirectToCheckout(res, path, { status: 429, retryAt, typed });
  };
}

/** Returns the model of the checkout form. Redirects to `/cart` and returns `undefined` if the cart is empty. */
export async function readCheckoutPage(res: Response, flow: FlowPages, answer: FormAnswer) {
  const priced = await readSessionCart(res);
  if (priced.lines.length === 0) {
    res.redirect(303, paths.cart);
    return undefined;
  }
  const { notices = [] } = answer;
  return checkoutPage(res, priced, flow, {
    ...answer,
    notices: [...(await notSetAsideNotices(res, priced)), ...notices],
  });
}

/** Returns one sentence for each product that an order of the session's cart would not set aside now. */
async function notSetAsideNotices(res: Response, { lines }: PricedCart): Promise<readonly string[]> {
  const { t, text, checkout } = contextOf(res);
  const { cartId } = res.req.session;
  if (cartId === undefined) return [];
  const request = { cartId, pieces: limitedPieces(lines), client: clientKeysOf(res) };
  const ids = await findNotSetAside(checkout.db.queries, request, checkout.clock.now());
  const products = lines.filter(({ product }) => ids.includes(product.id));
  return products.map(({ product }) => t('notices.notSetAside', { name: text(product.name) }));
}

/** Returns whether the customer left a 3D Secure page and chose to pay again. The form then shows a warning. */
export function isPayAgain(req: Request): boolean {
  return req.query['pay_again'] === '1' || fieldsOf(req)['pay_again'] === '1';
}

/**
 * Returns the posted contact fields and chosen fees, as a form stores them. Values that are not strings are left out. A
 * phone number that with its prefix may pass as a card number is returned without it.
 */
export function typedTexts(fields: Fields): TypedForm['values'] {
  const phone = readText(fields['phone']);
  const posted = holdsCardNumber(phone) ? { ...fields, phone: CONTACT_FIELDS.phone.parse(phone) } : fields;
  const names = [...CONTACT_FIELD_NAMES, ...CHOICE_FIELDS];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = posted[name];
      return typeof value === 'string'
        ? [[name, storedText(value, name === 'phone' ? isCardNumberAsPhone : undefined)]]
        : [];
    }),
  );
}

/** Returns the last order of this session, or `undefined` if its contact has changed. */
async function lastOrder(res: Response): Promise<Order | undefined> {
  const mark = ownershipMarks(res).at(-1);
  const { queries } = contextOf(res).checkout.db;
  const order = mark === undefined ? undefined : await findOrder(queries, orderIdOf(mark));
  return order && ownershipMarkOf(order) === mark ? order : undefined;
}

/** Returns whether this form pays the order, and not the next one. */
function isToPay({ req }: Response, { state, cartId }: Order): boolean {
  return state !== 'paid' && !isUncertain(state) && cartId === req.session.cartId;
}

/** Returns contact and shipping option of the last order. The form of the next order gets only fields that are remembered. */
function offeredAgain(res: Response, order: Order): TypedForm['values'] {
  const names = CONTACT_FIELD_NAMES.filter((name) => isToPay(res, order) || isRemembered(name));
  const contact = names.map((name) => [name, order[CONTACT_FIELDS[name].column]]);
  return { ...Object.fromEntries(contact), shipping_option: order.shippingOption };
}

/** Builds the model of views/checkout.ejs. */
function checkoutPage(
  res: Response,
  priced: PricedCart,
  flow: FlowPages,
  {
    typed: answered,
    problem,
    notices,
    seen,
    payAgain = isPayAgain(res.req),
  }: FormAnswer & { readonly notices: readonly string[] },
) {
  const i18n = contextOf(res);
  const { options, dependsOnAddress } = optionsFor(i18n, priced, answered.values);
  const typed = withoutGoneOption(answered, options);
  const choice = readChoice(typed.values);
  const now = i18n.checkout.clock.now();
  const addressNames = hasDelivery(options) ? ADDRESS_FORM_NAMES : [];
  const chosen = options.find(({ id }) => id === choice.shippingOption) ?? options[0];
  const other = options.find(({ discount }) => discount)?.discount;
  // An option that is shown has its own in its hint.
  const codeNotices = [codeNotice(i18n, priced), chosen?.kind === 'none' ? chosen.lowered : undefined];
  const isCartChanged = seen !== undefined && !isSeenCart(seen, priced);
  return {
    lines: priced.lines,
    goods: priced.goods,
    discount: chosen?.discount ?? (other && { ...other, isHidden: true }),
    /** Its total is posted, so that the customer never pays another total than the one shown. */
    chosen,
    shipping: chosen?.kind === 'none' ? [] : options,
    /** Where a script asks for the prices of an address. `undefined`: they do not depend on it. */
    quotesPath: dependsOnAddress ? paths.checkoutQuotes : undefined,
    shippingError: messageFor(i18n, typed, 'shipping_option'),
    contact: contactFields(i18n, typed, ORDER_FIELD_NAMES, now),
    address: contactFields(i18n, typed, addressNames, now),
    flow: flowForm(i18n, flow, paths.checkout),
    others: i18n.flows.filter(({ id }) => id !== flow.id).map((other) => flowForm(i18n, other, paths.checkout)),
    problem,
    totalText: chosen?.totalText,
    /** Stands on the button instead of the total, which is not known yet. */
    missing: chosen?.missing,
    /** The cart is another than on the posted page, so the page opens its lines. */
    isCartChanged,
    /** The shop is closed: the page has no button to pay. */
    closed: closingText(i18n),
    /** Posted as `pay_again`, with a warning above the form. */
    payAgain,
    notices: [
      ...priceNotices(i18n, priced),
      ...codeNotices.filter((notice) => notice !== undefined),
      ...(payAgain ? [i18n.t('notices.payAgain')] : []),
      ...notices,
      ...(isCartChanged ? [cartText(i18n, priced)] : []),
      ...(seen !== undefined && chosen && !chosen.missing && seen !== chosen.seen
        ? [i18n.t('notices.totalChanged', { total: chosen.totalText })]
        : []),
    ],
    errors: fieldErrors(i18n, typed, [...ORDER_FIELD_NAMES, 'shipping_option', ...addressNames]),
  };
}

/** Returns the shipping options for the typed address. An address without delivery shows what the others cost. */
function optionsFor(i18n: RequestContext, priced: PricedCart, values: TypedForm['values']) {
  const choice = readChoice(values);
  const all = quotesFor(i18n.shipping, priced, choice);
  const offered = quotesFor(i18n.shipping, priced, choice, destinationOf(values));
  const quotes = hasDelivery(offered) ? offered : all;
  const isOneForAll = reachableZones(i18n.shipping).length === 1 || !hasDelivery(all);
  const isElsewhere = hasDelivery(all) && !hasDelivery(offered);
  const missing = i18n.t(isElsewhere ? 'checkout.notDelivered' : 'checkout.addressMissing');
  return {
    options: quotes.map((quote) => optionView(i18n, quote, { priced, missing })),
    dependsOnAddress: !isOneForAll,
  };
}

/** An option that ended after the page was shown is an error at the options. */
function withoutGoneOption(typed: TypedForm, options: readonly { readonly id: string }[]): TypedForm {
  const { shipping_option: option } = typed.values;
  const isGone = option !== undefined && !options.some(({ id }) => id === option);
  if (!isGone || Object.keys(typed.problems).length === 0) return typed;
  return { ...typed, problems: { ...typed.problems, shipping_option: 'invalid' } };
}

function destinationOf({ state, postal_code: typed = '' }: TypedForm['values']): Destination {
  return { state: readState(state), postalCode: typed.replace(/\D/g, '') };
}

/** Returns what the cart has now, as one sentence. */
function cartText({ t, text, locale }: I18n, { lines }: PricedCart): string {
  const items = lines.map(({ product, quantity }) => `${quantity} × ${text(product.name)}`);
  return t('notices.cartChanged', { items: new Intl.ListFormat(locale).format(items) });
}

/**
 * Sends the shipping options of the session's cart for an address, as the script of the form shows them. `seen`: what the page
 * shows. If the cart is another now, sends `isCartChanged` only, so that the page charges nothing that it does not show.
 */
export async function sendQuotes(req: Request, res: Response): Promise<void> {
  const i18n = contextOf(res);
  const priced = await readSessionCart(res);
  if (!isSeenCart(readText(req.query['seen']), priced)) {
    res.json({ isCartChanged: true });
    return;
  }
  const values = { state: readText(req.query['state']), postal_code: readText(req.query['postal_code']) };
  const { shipping } = i18n;
  const quotes = quotesFor(shipping, priced, readChoice({}), destinationOf(values));
  const isMissing = !hasDelivery(quotes) && hasDelivery(quotesFor(shipping, priced, readChoice({})));
  res.json({
    options: quotes.map((quote) => optionView(i18n, quote, { priced, missing: i18n.t('checkout.addressMissing') })),
    notDelivered: isMissing ? i18n.t('form.notDelivered') : undefined,
  });
}

/** Returns why the code of a cart takes off less than its terms say. `undefined`: it does not. */
function codeNotice({ t, money }: I18n, { discount }: PricedCart): string | undefined {
  if (!discount?.limit) return undefined;
  const { code, amount, limit } = discount;
  if (limit.reason === 'minimum') return t('notices.codeMinimum', { code, min: money(limit.min) });
  return t('notices.codeLowered', { code, min: money(limit.min), amount: money(amount) });
}

/** `missing`: why the total is not known yet. */
function optionView(
  i18n: I18n,
  quote: Quote,
  { priced, missing }: { readonly priced: PricedCart; readonly missing: string },
) {
  const { id, kind, fees, cart, total } = quote;
  const { t, money, tax } = i18n;
  const isKnown = isExact(quote);
  const isLowered = isKnown && cart.discount?.limit?.reason === 'min_total';
  const lowered = isLowered ? codeNotice(i18n, cart) : undefined;
  const priceText = (amount: Centavos) => (amount === 0 ? t('shipping.free') : money(amount));
  return {
    id,
    kind,
    label: t(`shipping.${id}.label`),
    hint: [t(`shipping.${id}.hint`), deliveryTime(i18n, quote), lowered].filter(Boolean).join(' ').trim(),
    lowered,
    discount: discountRow(i18n, cart.discount?.code ?? null, cart.lines),
    price: optionPrice(i18n, quote),
    /** Shown in the summary, also the free ones. */
    fees: fees.map((fee) => ({
      id: fee.productId,
      label: t(`fees.${fee.productId}`),
      price: fee.productId === 'shipping' ? optionPrice(i18n, quote) : priceText(fee.unitPrice),
    })),
    /** Posted. */
    seen: seenOf(priced, quote),
    /** Until the total is known, the page charges nothing. */
    missing: isKnown ? undefined : missing,
    totalText: isKnown ? money(total) : t('cart.shippingFrom', { price: money(total) }),
    tax: isKnown ? tax([...cart.lines, ...fees]) : undefined,
  };
}
