import type { PricedCart } from '../../domain/cart.js';
import { ADDRESS_FIELD_NAMES, PERSON_FIELD_NAMES } from '../../domain/contact.js';
import { readState } from '../../domain/mexican-states.js';
import { sum } from '../../domain/money.js';
import { needsAddress, type ShippingOption, shippingOptions } from '../../domain/shipping.js';
import { SHIPPING_TAX_RATE } from '../../domain/tax.js';
import { formatMoney, formatTax } from '../../locales/format.js';
import { contactFields, fieldErrors, messageFor, type TypedForm } from './contact-fields.js';
import { type I18n, priceNotices, summaryLines } from './shop-pages.js';

export type CheckoutPage = ReturnType<typeof checkoutPage>;

/** Builds the model of views/checkout.ejs and views/checkout-card.ejs. */
export function checkoutPage(
  i18n: I18n,
  priced: PricedCart,
  typed: TypedForm,
  more: {
    readonly notices: readonly string[];
    /** Whether the shop also offers the other payment flow. */
    readonly hasOtherFlow: boolean;
    /** The customer abandoned a 3D Secure page and pays again. Posted as `pay_again`, with a warning above the form. */
    readonly payAgain: boolean;
  },
) {
  const { locale, t } = i18n;
  const { shipping_option: typedOption, state } = typed.values;
  const offered = shippingOptions(priced.lines, priced.total, readState(state));
  const chosen = offered.find(({ id }) => id === typedOption) ?? offered[0];
  const options = offered.map((option) => optionView(i18n, option, priced, option === chosen));
  const total = sum([priced.total, ...(chosen ? [chosen.price] : [])]);
  return {
    lines: summaryLines(locale, priced),
    goods: formatMoney(priced.total, locale),
    total: formatMoney(total, locale),
    tax: taxWith(i18n, priced, chosen),
    // Posted, so that the customer never pays another total than the one shown.
    seenTotal: String(total),
    contact: contactFields(i18n, typed, PERSON_FIELD_NAMES),
    shipping: chosen?.id === 'none' ? [] : options,
    shippingError: messageFor(i18n, typed, 'shipping_option'),
    address: offered.some(({ id }) => needsAddress(id))
      ? contactFields(i18n, typed, ADDRESS_FIELD_NAMES)
      : [],
    ...more,
    notices: [
      ...priceNotices(i18n, priced),
      ...(more.payAgain ? [t('notices.payAgain')] : []),
      ...more.notices,
    ],
    errors: fieldErrors(i18n, typed, [...PERSON_FIELD_NAMES, 'shipping_option', ...ADDRESS_FIELD_NAMES]),
  };
}

function optionView(i18n: I18n, option: ShippingOption, priced: PricedCart, isChosen: boolean) {
  const { t, locale } = i18n;
  const { id, price } = option;
  const total = sum([priced.total, price]);
  return {
    id,
    label: t(`shipping.${id}.label`),
    hint: t(`shipping.${id}.hint`),
    price: price === 0 ? t('shipping.free') : formatMoney(price, locale),
    total: formatMoney(total, locale),
    tax: taxWith(i18n, priced, option) ?? '',
    seenTotal: String(total),
    isChosen,
    needsAddress: needsAddress(id),
  };
}

/** Returns the IVA of the cart with a shipping option. */
function taxWith({ locale }: I18n, { lines }: PricedCart, option?: ShippingOption): string | undefined {
  const shipping = option && { unitPrice: option.price, quantity: 1, taxRate: SHIPPING_TAX_RATE };
  return formatTax(shipping ? [...lines, shipping] : lines, locale);
}
