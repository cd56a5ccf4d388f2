import type { PricedCart } from '../../domain/cart.js';
import type { ContactFieldName, FieldProblem } from '../../domain/contact.js';
import { formatMoney } from '../../locales/format.js';
import type { CheckoutPage, FieldView } from '../view-models.js';
import { type I18n, priceNotices, summaryLines } from './shop-pages.js';

/** Contact fields in the order of the form. */
export const CONTACT_FIELDS = ['first_name', 'last_name', 'email'] as const;

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
    contact: {
      first_name: fieldView(i18n, typed, 'first_name'),
      last_name: fieldView(i18n, typed, 'last_name'),
      email: fieldView(i18n, typed, 'email'),
    },
    notices: [...priceNotices(i18n, priced), ...notices],
    errors: CONTACT_FIELDS.flatMap((field) => {
      const message = messageFor(i18n, typed, field);
      return message === undefined ? [] : [{ field, message }];
    }),
  };
}

function fieldView(i18n: I18n, typed: TypedContact, field: ContactFieldName): FieldView {
  const error = messageFor(i18n, typed, field);
  // A possible card number must not appear in any response.
  const value = typed.problems[field] === 'cardData' ? '' : (typed.values[field] ?? '');
  return { value, error };
}

function messageFor({ t }: I18n, typed: TypedContact, field: ContactFieldName): string | undefined {
  const problem = typed.problems[field];
  return problem && t(`fields.${field}.${problem}`);
}
