import type { PricedCart } from '../../domain/cart.js';
import type { ContactFieldName, FieldProblem } from '../../domain/contact.js';
import { formatMoney } from '../../locales/format.js';
import type { CheckoutPage, FieldView } from '../view-models.js';
import { priceNotices, type Reader, summaryLines } from './shop-pages.js';

/** Contact fields in the order of the form. */
export const CONTACT_FIELDS = ['first_name', 'last_name', 'email'] as const;

/** Posted contact values and their validation problems. */
export interface TypedContact {
  readonly values: Readonly<Partial<Record<ContactFieldName, string>>>;
  readonly problems: Readonly<Partial<Record<ContactFieldName, FieldProblem>>>;
}

/** Builds the model of the checkout page, without the fields that depend on the payment flow. */
export function checkoutPage(
  reader: Reader,
  priced: PricedCart,
  form: { readonly typed: TypedContact; readonly notices?: readonly string[] },
): Omit<CheckoutPage, 'otherWay' | 'payAgain'> {
  const { locale } = reader;
  const { typed, notices = [] } = form;
  return {
    lines: summaryLines(locale, priced),
    total: formatMoney(priced.total, locale),
    seenTotal: String(priced.total),
    contact: {
      first_name: fieldView(reader, typed, 'first_name'),
      last_name: fieldView(reader, typed, 'last_name'),
      email: fieldView(reader, typed, 'email'),
    },
    notices: [...priceNotices(reader, priced), ...notices],
    errors: CONTACT_FIELDS.flatMap((field) => {
      const message = messageFor(reader, typed, field);
      return message === undefined ? [] : [{ field, message }];
    }),
  };
}

function fieldView(reader: Reader, typed: TypedContact, field: ContactFieldName): FieldView {
  const error = messageFor(reader, typed, field);
  // A possible card number must not appear in any response.
  const value = typed.problems[field] === 'cardData' ? '' : (typed.values[field] ?? '');
  return { value, ...(error !== undefined && { error }) };
}

function messageFor({ t }: Reader, typed: TypedContact, field: ContactFieldName): string | undefined {
  const problem = typed.problems[field];
  return problem && t(`fields.${field}.${problem}`);
}
