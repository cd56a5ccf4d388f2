/** Reads the form of an order that the merchant makes, prices it, and lists its errors. */
import { holdsCardNumber, maskCardNumbers } from '@tianguis/payments/rules';
import { i18nIn } from '../../locales/i18n.js';
import { MAX_QUANTITY, readQuantity } from '../../shop/rules/cart.js';
import {
  ADDRESS_FORM_NAMES,
  CONTACT_FIELD_NAMES,
  type ContactFieldName,
  ORDER_FIELD_NAMES,
  readContact,
} from '../../shop/rules/contact.js';
import { FEES, type FeeId, readChoice } from '../../shop/rules/fees.js';
import { NOTE_LIMIT, readField } from '../../shop/rules/form-field.js';
import type { Order } from '../../tables/orders.js';
import { typedTexts } from '../../web/checkout-form.js';
import { fieldErrors, type TypedForm } from '../../web/contact-fields.js';
import type { FieldError } from '../../web/field-error.js';
import { errorList, type ShownForm, type Typed } from '../../web/form.js';
import { type Fields, readText } from '../../web/form-body.js';
import { asksAboutEmail } from '../../web/former-email.js';
import type { RequestContext } from '../../web/request-context.js';
import { readOwnPrices, totalProblems } from './own-prices.js';
import { findKeptCode, type MerchantOrder, type Offer, priceWanted } from './place-merchant-order.js';
import { changeRows, ROWS } from './product-rows.js';

const HOUR_MS = 60 * 60 * 1000;
/** A UUIDv7. */
const FORM_KEY = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** A form as typed, with its errors. */
export interface NewOrderForm extends ShownForm {
  /** The id of the order that the form creates, so that it creates one only. */
  readonly key: string;
  readonly contact: TypedForm;
  readonly offer?: Offer;
  /** Absent if the form has errors. */
  readonly request?: Omit<MerchantOrder, 'by'>;
}

/** Returns the id that the form gives to its order. `undefined` for another text. */
export function readFormKey(fields: Fields): string | undefined {
  const key = readText(fields['form_key']);
  return FORM_KEY.test(key) ? key : undefined;
}

/** Returns the times to pay that are offered. The longest is that of the shop. */
export function payableHours({ checkout }: Pick<RequestContext, 'checkout'>): readonly number[] {
  const longest = checkout.config.orderPayableMs / HOUR_MS;
  return [...[2, 24, 72].filter((hours) => hours < longest), longest];
}

/** The steps in which the form is not complete. It shows no errors then, and the posted texts stay. */
export function isChoosing(fields: Fields): boolean {
  return readText(fields['step']) === 'search' || 'product_add' in fields || 'product_remove' in fields;
}

/** Returns the form after a search, or with one product more or less. */
export function chooseProducts({ t }: RequestContext, posted: Fields, key: string): NewOrderForm {
  const { fields, isFull } = changeRows(posted);
  const full = t('merchantOrders.problems.full', { limit: ROWS.length });
  const contact = { values: typedTexts(fields), problems: {} };
  return { key, typed: shownTexts(textsOf(fields)), contact, errors: errorList({ product_search: isFull && full }) };
}

function textsOf(fields: Fields): Typed {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, readText(value)]));
}

/** The key of the form, and products, whose ids may be barcodes. `refuseCardData` checks them. */
const MAY_HOLD_DIGITS = /^(?:form_key|product_(?:\d+|search))$/;

/** Returns the texts without possible card numbers. */
function shownTexts(texts: Typed): Typed {
  const masked = Object.entries(texts).map(([name, text]) => [
    name,
    !MAY_HOLD_DIGITS.test(name) && holdsCardNumber(text) ? maskCardNumbers(text) : text,
  ]);
  return { ...Object.fromEntries(masked), ...typedTexts(texts) };
}

/** Reads the posted form, and prices it now. `earlier`: the order that the new one replaces. */
export async function readForm(
  context: RequestContext,
  fields: Fields,
  key: string,
  earlier?: Order,
): Promise<NewOrderForm> {
  const { t, checkout } = context;
  // A search does not stay open beside the total.
  const typed = textsOf({ ...fields, product_search: '' });
  const rows = readRows(typed);
  const { ownPrices, problems } = readOwnPrices(context, typed);
  const { state: deliveryState, postal_code: postalCode } = typed;
  const wanted = { quantities: sumOf(rows), choice: readChoice(fields), deliveryState, postalCode, ...ownPrices };
  const { queries } = checkout.db;
  const at = checkout.clock.now();
  const kept = await findKeptCode(queries, checkout, earlier, at);
  const offer = await priceWanted(queries, wanted, { shipping: context.shipping, cartId: earlier?.cartId, kept, at });
  const { priced, quote } = offer;
  const reading = readContact(fields, contactNames(offer, typed), earlier ? undefined : at);
  const contact = { values: typedTexts(fields), problems: await contactProblems(context, fields, reading, earlier) };
  const { order_note: typedNote = '', seen = '' } = typed;
  const note = readNote(typedNote);
  const noteProblem = 'problem' in note && note.problem;
  const hours = payableHours(context).find((each) => String(each) === typed['payable_hours']);
  const { needsOwnPrice } = offer;
  const hasNoQuote = priced.lines.length > 0 && !quote && !needsOwnPrice;
  const errors = [
    ...rowErrors(context, rows, wanted.quantities, offer),
    ...fieldErrors(context, contact, ORDER_FIELD_NAMES),
    ...errorList({ shipping_option: hasNoQuote && t('fields.shipping_option.required') }),
    ...fieldErrors(context, contact, ADDRESS_FORM_NAMES),
    ...errorList({
      ...problems,
      ...(needsOwnPrice && !problems.shipping_price && { shipping_price: t('merchantOrders.problems.notDelivered') }),
      ...(quote && priced.lines.length > 0 && totalProblems(context, quote.total, ownPrices)),
      payable_hours: !hours && t('merchantOrders.problems.hours'),
      order_note:
        noteProblem &&
        (noteProblem === 'cardData' ? t('form.cardData') : t('merchantOrders.problems.note', { limit: NOTE_LIMIT })),
    }),
  ];
  const form = { key, typed: shownTexts(typed), contact, offer, errors };
  if (errors.length > 0 || !reading.ok || !quote || !hours || 'problem' in note) return form;
  const locale = context.config.locales.find((each) => each === earlier?.locale) ?? context.config.locales[0];
  const order = i18nIn(context.translations, locale);
  const request = {
    ...wanted,
    id: key,
    contact: reading.contact,
    locale,
    nameOfFee: (id: FeeId) => order.t(FEES[id].label(quote.id)),
    payableMs: hours * HOUR_MS,
    isReservedUntilEnd: typed['reserve'] === 'until_end',
    note: note.value,
    seen,
  };
  return { ...form, request };
}

/** Parses the internal note as one line. It may be empty. */
function readNote(typed: string) {
  return readField(typed.replace(/\s+/g, ' '), { column: 'note', maxLength: NOTE_LIMIT, isOptional: true });
}

async function contactProblems(
  context: RequestContext,
  fields: Fields,
  reading: ReturnType<typeof readContact>,
  earlier: Order | undefined,
): Promise<TypedForm['problems']> {
  if (!reading.ok) return reading.problems;
  const asks = earlier && (await asksAboutEmail(context, fields, [earlier.id], reading.contact.email));
  return asks ? { email: 'formerEmail' } : {};
}

/** The e-mail address is optional with a phone number, and the other way round. A delivery needs a phone number. */
function contactNames({ quote }: Offer, { email = '', phone = '' }: Typed): readonly ContactFieldName[] {
  const hasEmail = email.trim() !== '';
  const isDelivered = quote?.kind === 'delivery';
  const names: readonly ContactFieldName[] = isDelivered ? CONTACT_FIELD_NAMES : [...ORDER_FIELD_NAMES, 'phone'];
  const needsPhone = isDelivered || !hasEmail || phone.trim() !== '';
  return names.filter((name) => (name === 'email' ? hasEmail : name !== 'phone' || needsPhone));
}

interface Row {
  readonly row: number;
  readonly id: string;
  /** Absent: not valid. */
  readonly quantity: number | undefined;
}

/** Returns the rows with a product. */
function readRows(typed: Typed): readonly Row[] {
  return ROWS.map((row) => {
    const id = (typed[`product_${row}`] ?? '').trim();
    return { row, id, quantity: readQuantity(typed[`quantity_${row}`]?.trim(), 1) };
  }).filter(({ id }) => id !== '');
}

/** Returns the quantities by product id. Rows with the same product are added. */
function sumOf(rows: readonly Row[]): ReadonlyMap<string, number> {
  const quantities = new Map<string, number>();
  for (const { id, quantity = 0 } of rows) quantities.set(id, (quantities.get(id) ?? 0) + quantity);
  return quantities;
}

function rowErrors(
  { t, text }: RequestContext,
  rows: readonly Row[],
  quantities: ReadonlyMap<string, number>,
  { priced: { withdrawn, shortages } }: Offer,
): readonly FieldError[] {
  if (rows.length === 0) return [{ field: 'product_search', message: t('merchantOrders.problems.nothing') }];
  return rows.flatMap(({ row, id, quantity }) => {
    const short = shortages.find(({ product }) => product.id === id);
    const left = short && t('merchantOrders.problems.left', { name: text(short.product.name), count: short.left });
    const isWrong = quantity === undefined || (quantities.get(id) ?? 0) > MAX_QUANTITY;
    const isWithdrawn = withdrawn.some(({ productId }) => productId === id);
    return errorList({
      [`product_${row}`]: isWithdrawn && t('merchantOrders.problems.product'),
      [`quantity_${row}`]: isWrong ? t('merchantOrders.problems.quantity', { limit: MAX_QUANTITY }) : left,
    });
  });
}
