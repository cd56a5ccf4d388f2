import type { PricedCart } from '../../domain/cart.js';
import {
  CONTACT_FIELD_NAMES,
  CONTACT_FIELDS,
  type ContactFieldName,
  type FieldProblem,
} from '../../domain/contact.js';
import { formatMoney } from '../../locales/format.js';
import type { CheckoutPage, ContactFieldView } from '../view-models.js';
import { type I18n, priceNotices, summaryLines } from './shop-pages.js';

/** Posted contact values and their validation problems. */
export interface TypedContact {
  readonly values: Readonly<Partial<Record<ContactFieldName, string>>>;
  readonly problems: Readonly<Partial<Record<ContactFieldName, FieldProblem>>>;
}

/** Builds the model of the checkout page, without the fields that depend on the payment flow. */
export function checkoutPage(
  i18n: I18n,
  priced: PricedCart,
  form: { readonly typed: TypedContact; readonly notices?: readonly string[] },
): Omit<CheckoutPage, 'otherWay' | 'payAgain'> {
  const { locale } = i18n;
  const { typed, notices = [] } = form;
  return {
    lines: summaryLines(locale, priced),
    total: formatMoney(priced.total, locale),
    seenTotal: String(priced.total),
    contact: CONTACT_FIELD_NAMES.map((name) => fieldView(i18n, typed, name)),
    notices: [...priceNotices(i18n, priced), ...notices],
    errors: CONTACT_FIELD_NAMES.flatMap((field) => {
      const message = messageFor(i18n, typed, field);
      return message === undefined ? [] : [{ field, message }];
    }),
  };
}

function fieldView(i18n: I18n, typed: TypedContact, name: ContactFieldName): ContactFieldView {
  const { t } = i18n;
  const { type, autocomplete, maxLength } = CONTACT_FIELDS[name];
  return {
    name,
    label: t(`fields.${name}.label`),
    hint: name === 'email' ? t('checkout.emailHint') : undefined,
    type,
    autocomplete,
    maxLength,
    scriptError: t(type === 'text' ? `fields.${name}.required` : `fields.${name}.invalid`),
    // A possible card number must not appear in any response.
    value: typed.problems[name] === 'cardData' ? '' : (typed.values[name] ?? ''),
    error: messageFor(i18n, typed, name),
  };
}

function messageFor({ t }: I18n, typed: TypedContact, field: ContactFieldName): string | undefined {
  const problem = typed.problems[field];
  return problem && t(`fields.${field}.${problem}`);
}
