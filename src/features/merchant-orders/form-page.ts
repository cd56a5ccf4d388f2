/** The model of views/merchant-orders/new-order.ejs. */
import { typedField } from '../../admin/order-record.js';
import { discountRow } from '../../locales/discount-row.js';
import { centavos, ID_BYTES, timeOrderedId } from '../../payments/rules/index.js';
import { ADDRESS_FORM_NAMES, type ContactFieldName, PERSON_FIELD_NAMES } from '../../shop/rules/contact.js';
import { FEES } from '../../shop/rules/fees.js';
import { shippingOptions } from '../../shop/rules/shipping.js';
import { contactFields } from '../../web/contact-fields.js';
import type { RequestContext } from '../../web/request-context.js';
import { ownPriceFields } from './own-prices.js';
import { merchantOrdersPaths } from './paths.js';
import type { Offer } from './place-merchant-order.js';
import { type NewOrderForm, payableHours, ROWS, SEPARATOR } from './read-form.js';
import { findChoices } from './repository.js';

const MINUTE_MS = 60_000;
/** Rows that are shown at once. */
const FIRST_ROWS = 3;
/** Products in the list of suggestions. The id of any other can be typed. */
const MAX_CHOICES = 1_000;

function optionsOf({ shipping }: RequestContext) {
  return shippingOptions(shipping, [{ product: { requiresShipping: true }, quantity: 1 }], centavos(0));
}

export function emptyForm(context: RequestContext): NewOrderForm {
  const { checkout } = context;
  const key = timeOrderedId(checkout.clock.now(), checkout.random(ID_BYTES));
  const typed = { shipping_option: optionsOf(context)[0]?.id ?? '', payable_hours: '24' };
  return { key, typed, contact: { values: {}, problems: {} }, errors: [] };
}

export async function newOrderPage(context: RequestContext, form: NewOrderForm) {
  const { t, text, money, duration, checkout } = context;
  const { db, clock, config } = checkout;
  const rows = ROWS.map((row) => ({
    row,
    // The id of a product may be a barcode, which passes as a card number.
    product: { ...typedField(form, `product_${row}`), value: form.typed[`product_${row}`] ?? '' },
    quantity: typedField(form, `quantity_${row}`, '1'),
  }));
  const moreRows = rows.slice(FIRST_ROWS);
  const choices = await findChoices(db.queries, { at: clock.now(), limit: MAX_CHOICES });
  // The browser of the merchant would fill in its own data.
  const fields = (names: readonly ContactFieldName[]) =>
    contactFields(context, form.contact, names).map((field) => ({
      ...field,
      autocomplete: 'off',
      hint: field.name === 'phone' ? t('merchantOrders.phoneHint') : undefined,
    }));
  return {
    paths: merchantOrdersPaths,
    errors: form.errors,
    formKey: form.key,
    rows: rows.slice(0, FIRST_ROWS),
    moreRows,
    isMoreOpen: moreRows.some(({ product }) => product.value !== ''),
    choices: choices.map(({ id, name, price, left }) => ({
      value: `${text(name)}${SEPARATOR}${id}`,
      label: left === null ? money(price) : t('merchantOrders.choice', { price: money(price), left }),
    })),
    contact: fields([...PERSON_FIELD_NAMES, 'phone']),
    address: fields(ADDRESS_FORM_NAMES.filter((name) => name !== 'phone')),
    shipping: optionsOf(context).map(({ id, kind }) => ({
      id,
      label: t(`shipping.${id}.label`),
      kind,
      checked: id === form.typed['shipping_option'],
    })),
    shippingError: typedField(form, 'shipping_option').error,
    ownPrices: ownPriceFields(context, form),
    hours: payableHours(context).map((count) => ({
      value: String(count),
      label: count > 24 ? t('merchantOrders.days', { count: count / 24 }) : t('merchantOrders.hours', { count }),
      selected: String(count) === form.typed['payable_hours'],
    })),
    hoursError: typedField(form, 'payable_hours').error,
    isReserved: form.typed['reserve'] === 'until_end',
    reserveHint: t('merchantOrders.reserveHint', { time: duration(Math.floor(config.orderTtlMs / MINUTE_MS) * 60) }),
    note: typedField(form, 'order_note'),
    summary: form.request && form.offer && summaryOf(context, form.offer),
  };
}

/** What the user confirms. Its total is posted as `seen_total`. */
function summaryOf(context: RequestContext, { priced, quote }: Offer) {
  const { t, text, money, tax } = context;
  return (
    quote && {
      lines: priced.lines.map(({ product, quantity, lineTotal }) => ({
        name: text(product.name),
        quantity,
        total: money(lineTotal),
      })),
      discount: discountRow(context, null, priced.lines),
      fees: quote.fees.map(({ productId, unitPrice }) => ({
        name: t(FEES[productId].label(quote.id)),
        price: unitPrice === 0 ? t('shipping.free') : money(unitPrice),
      })),
      seenTotal: quote.total,
      total: money(quote.total),
      tax: tax([...priced.lines, ...quote.fees]),
    }
  );
}
