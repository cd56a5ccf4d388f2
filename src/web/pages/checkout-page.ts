import type { PricedCart } from '../../core/cart.js';
import type { ContactFieldName, FieldProblem } from '../../core/contact.js';
import { formatMoney } from '../../words/format.js';
import type { CheckoutPage, FieldView } from '../view-models.js';
import { priceNotices, type Reader, summaryLines } from './shop-pages.js';

export const CONTACT_FIELDS = ['first_name', 'last_name', 'email'] as const;

/** What the form shows: what was typed, and what was wrong with it. */
export interface TypedContact {
  readonly values: Readonly<Partial<Record<ContactFieldName, string>>>;
  readonly problems: Readonly<Partial<Record<ContactFieldName, FieldProblem>>>;
}

export function checkoutPage(
  reader: Reader,
  priced: PricedCart,
  form: { readonly typed: TypedContact; readonly notices?: readonly string[] },
): Omit<CheckoutPage, 'otherWay'> {
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
  // What looks like a card number is not shown again, not even to whoever typed it.
  const value = typed.problems[field] === 'cardData' ? '' : (typed.values[field] ?? '');
  return { value, ...(error !== undefined && { error }) };
}

function messageFor({ t }: Reader, typed: TypedContact, field: ContactFieldName): string | undefined {
  const problem = typed.problems[field];
  return problem && t(`fields.${field}.${problem}`);
}
