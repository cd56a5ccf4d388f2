/** The fields of a correction. The order page has other forms with the names of the checkout. */
import { CONTACT_FIELDS, type Contact, type ContactFieldName } from '../../shop/rules/contact.js';
import { contactField } from '../../web/contact-fields.js';
import { checkbox } from '../../web/fields.js';
import type { FormFields, Typed, ValuesOf } from '../../web/form.js';

export type Person = Pick<Contact, 'firstName' | 'lastName' | 'email' | 'phone'>;

/** E-mail and phone may stay empty if the order has none. */
export function personFields(stored: Person) {
  return {
    customer_first_name: fieldOf('first_name', stored),
    customer_last_name: fieldOf('last_name', stored),
    customer_email: fieldOf('email', stored),
    customer_phone: fieldOf('phone', stored),
    customer_new_link: checkbox('contactChanges.newLink', 'contactChanges.newLinkHint'),
  } as const satisfies FormFields;
}

function fieldOf(name: ContactFieldName, stored: Person) {
  return contactField(name, stored[CONTACT_FIELDS[name].column as keyof Person] === '');
}

export function personOf(values: ValuesOf<ReturnType<typeof personFields>>): Person {
  return {
    firstName: values.customer_first_name,
    lastName: values.customer_last_name,
    email: values.customer_email,
    phone: values.customer_phone,
  };
}

export function storedTexts({ firstName, lastName, email, phone }: Person): Typed {
  return {
    customer_first_name: firstName,
    customer_last_name: lastName,
    customer_email: email,
    customer_phone: phone,
  };
}
