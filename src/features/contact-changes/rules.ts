/** The fields of a correction. Pure. */
import { CONTACT_FIELDS, type Contact, type ContactFieldName, readContact } from '../../shop/rules/contact.js';
import type { FieldProblem } from '../../shop/rules/form-field.js';

export type Person = Pick<Contact, 'firstName' | 'lastName' | 'email' | 'phone'>;

/** By the names of the form. The order page has other forms with the names of the checkout. */
export const PERSON_FIELDS = {
  customer_first_name: 'first_name',
  customer_last_name: 'last_name',
  customer_email: 'email',
  customer_phone: 'phone',
} as const satisfies Readonly<Record<string, ContactFieldName>>;
export type PersonField = keyof typeof PERSON_FIELDS;
export const PERSON_FIELD_LIST = Object.keys(PERSON_FIELDS) as readonly PersonField[];

export function storedText(person: Person, name: PersonField): string {
  return person[CONTACT_FIELDS[PERSON_FIELDS[name]].column as keyof Person];
}

/** By the names of the checkout. */
interface TypedPerson {
  readonly values: Readonly<Record<string, string>>;
  readonly problems: Readonly<Partial<Record<ContactFieldName, FieldProblem>>>;
}

/** Parses the form. E-mail and phone may stay empty if the order has none. */
export function readPerson(
  typed: Readonly<Record<PersonField, string>>,
  stored: Person,
): { readonly person: Person } | TypedPerson {
  const asked = PERSON_FIELD_LIST.filter((name) => typed[name].trim() !== '' || storedText(stored, name) !== '');
  const values = Object.fromEntries(PERSON_FIELD_LIST.map((name) => [PERSON_FIELDS[name], typed[name]]));
  const result = readContact(
    values,
    asked.map((name) => PERSON_FIELDS[name]),
  );
  if (!result.ok) return { values, problems: result.problems };
  const { firstName, lastName, email, phone } = result.contact;
  return { person: { firstName, lastName, email, phone } };
}
