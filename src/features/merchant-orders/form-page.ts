/** The model of src/features/merchant-orders/views/new-order.ejs. */

import { centavos, ID_BYTES, timeOrderedId } from '@tianguis/payments/rules';
import { typedField } from '../../admin/order/order-record.js';
import { discountRow } from '../../locales/discount-row.js';
import { ADDRESS_FORM_NAMES, type ContactFieldName, OWN_FIELD_NAMES } from '../../shop/rules/contact.js';
import { FEES } from '../../shop/rules/fees.js';
import { shippingOptions } from '../../shop/rules/shipping.js';
import { seenOf } from '../../shop/seen.js';
import type { Order } from '../../tables/orders.js';
import { contactFields } from '../../web/contact-fields.js';
import type { RequestContext } from '../../web/request-context.js';
import { ownPriceFields } from './own-prices.js';
import type { Offer } from './place-merchant-order.js';
import { chosenRows, foundRows } from './product-rows.js';
import { type NewOrderForm, payableHours } from './read-form.js';

const MINUTE_MS = 60_000;

function optionsOf({ shipping }: RequestContext) {
  return shippingOptions(shipping, [{ product: { requiresShipping: true }, quantity: 1 }], centavos(0));
}

export function emptyForm(context: RequestContext): NewOrderForm {
  const { checkout } = context;
  const key = timeOrderedId(checkout.clock.now(), checkout.random(ID_BYTES));
  const typed = { shipping_option: optionsOf(context)[0]?.id ?? '', payable_hours: '24' };
  return { key, typed, contact: { values: {}, problems: {} }, errors: [] };
}

/** The model of the form. `earlier`: the order that the new one replaces. */
export async function newOrderPage(context: RequestContext, form: NewOrderForm, earlier?: Order) {
  const { t, duration, checkout } = context;
  const { config } = checkout;
  // The browser of the merchant would fill in its own data.
  const fields = (names: readonly ContactFieldName[]) =>
    contactFields(context, form.contact, names, earlier ? undefined : checkout.clock.now()).map((field) => ({
      ...field,
      autocomplete: 'off',
      // One of both is enough.
      ...(field.name === 'email' && { isRequired: false, hint: t('merchantOrders.emailHint') }),
      ...(field.name === 'phone' && { isRequired: false, hint: t('merchantOrders.phoneHint') }),
    }));
  return {
    errors: form.errors,
    formKey: form.key,
    rows: await chosenRows(context, form, earlier?.cartId),
    // The id of a product may be a barcode, which passes as a card number.
    search: {
      name: 'product_search',
      kind: 'search',
      autocapitalize: 'none',
      label: t('merchantOrders.search'),
      hint: t('merchantOrders.searchHint'),
      error: typedField(form, 'product_search').error,
      value: form.typed['product_search'],
    },
    found: await foundRows(context, form),
    contact: fields(['first_name', 'last_name', 'phone', 'email', ...OWN_FIELD_NAMES]),
    address: fields(ADDRESS_FORM_NAMES.filter((name) => name !== 'phone')),
    shipping: optionsOf(context).map(({ id, kind }) => ({
      id,
      label: t(`shipping.${id}.label`),
      kind,
      checked: id === form.typed['shipping_option'],
    })),
    shippingError: typedField(form, 'shipping_option').error,
    ownPrices: ownPriceFields(context, form),
    hours: {
      name: 'payable_hours',
      kind: 'list',
      label: t('merchantOrders.payable'),
      options: payableHours(context).map((count) => ({
        value: String(count),
        label: count > 24 ? t('merchantOrders.days', { count: count / 24 }) : t('merchantOrders.hours', { count }),
      })),
      ...typedField(form, 'payable_hours'),
    },
    isReserved: form.typed['reserve'] === 'until_end',
    reserveHint: t('merchantOrders.reserveHint', { time: duration(Math.floor(config.orderTtlMs / MINUTE_MS) * 60) }),
    note: {
      name: 'order_note',
      kind: 'multiline',
      rows: 3,
      label: t('merchantOrders.note'),
      hint: t('merchantOrders.noteHint'),
      ...typedField(form, 'order_note'),
    },
    summary: form.request && form.offer && summaryOf(context, form.offer),
  };
}

/** What the user confirms. It is posted as `seen`. */
function summaryOf(context: RequestContext, { priced, quote }: Offer) {
  const { t, text, money, tax } = context;
  return (
    quote && {
      lines: priced.lines.map(({ product, quantity, lineTotal }) => ({
        name: text(product.name),
        quantity,
        total: money(lineTotal),
      })),
      discount: discountRow(context, priced.discount?.code ?? null, priced.lines),
      fees: quote.fees.map(({ productId, unitPrice }) => ({
        name: t(FEES[productId].label(quote.id)),
        price: unitPrice === 0 ? t('shipping.free') : money(unitPrice),
      })),
      seen: seenOf(priced, quote),
      total: money(quote.total),
      tax: tax([...priced.lines, ...quote.fees]),
    }
  );
}
