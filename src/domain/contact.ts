/** The customer's contact and delivery address. Pure. */
import { type FieldProblem, type FormField, readFields } from './form-field.js';
import { isPostalCodeOf, readState } from './mexican-states.js';

/** In characters. First and last name together stay below the gateway's limit of 255. */
export const NAME_LIMIT = 120;
export const EMAIL_LIMIT = 254;

const PERSON_FIELDS = {
  first_name: { column: 'firstName', autocomplete: 'given-name', maxLength: NAME_LIMIT },
  last_name: { column: 'lastName', autocomplete: 'family-name', maxLength: NAME_LIMIT },
  email: {
    column: 'email',
    autocomplete: 'email',
    inputMode: 'email',
    maxLength: EMAIL_LIMIT,
    parse: (text) => (isEmail(text) ? text : undefined),
  },
} as const satisfies Readonly<Record<string, FormField>>;

/** Read only if the shipping option needs an address. */
const ADDRESS_FIELDS = {
  street: { column: 'street', autocomplete: 'address-line1', maxLength: 120 },
  interior_number: {
    column: 'interiorNumber',
    autocomplete: 'address-line2',
    maxLength: 30,
    isOptional: true,
  },
  neighborhood: { column: 'neighborhood', autocomplete: 'address-level3', maxLength: 100 },
  municipality: { column: 'municipality', autocomplete: 'address-level2', maxLength: 100 },
  state: { column: 'deliveryState', autocomplete: 'address-level1', parse: readState },
  postal_code: {
    column: 'postalCode',
    autocomplete: 'postal-code',
    inputMode: 'numeric',
    maxLength: 5,
    parse: (text) => (/^\d{5}$/.test(text) ? text : undefined),
  },
  phone: {
    column: 'phone',
    autocomplete: 'tel-national',
    inputMode: 'tel',
    maxLength: 20,
    parse: parsePhone,
  },
  delivery_notes: { column: 'deliveryNotes', maxLength: 250, isOptional: true },
} as const satisfies Readonly<Record<string, FormField>>;

/** The fields of the checkout form, in order. Form, order, back office, export and retention use this list. */
export const CONTACT_FIELDS = { ...PERSON_FIELDS, ...ADDRESS_FIELDS };

export type ContactFieldName = keyof typeof CONTACT_FIELDS;
export const CONTACT_FIELD_NAMES = Object.keys(CONTACT_FIELDS) as readonly ContactFieldName[];
export const PERSON_FIELD_NAMES = Object.keys(PERSON_FIELDS) as readonly (keyof typeof PERSON_FIELDS)[];
export const ADDRESS_FIELD_NAMES = Object.keys(ADDRESS_FIELDS) as readonly (keyof typeof ADDRESS_FIELDS)[];

type ColumnOf<Fields extends Readonly<Record<string, FormField>>> = Fields[keyof Fields]['column'];
/** The customer's data as stored in the order. */
export type Contact = Record<ColumnOf<typeof CONTACT_FIELDS>, string>;
/** The part of a contact that an order without delivery leaves empty. */
export type Address = Record<ColumnOf<typeof ADDRESS_FIELDS>, string>;

/**
 * Parses the named fields of the contact form and returns the contact, or one problem per invalid field. Fields that are
 * not named are empty in the contact.
 */
export function readContact(
  fields: Readonly<Record<string, unknown>>,
  names: readonly ContactFieldName[],
):
  | { readonly ok: true; readonly contact: Contact }
  | { readonly ok: false; readonly problems: Readonly<Partial<Record<ContactFieldName, FieldProblem>>> } {
  const { values, problems } = readFields(CONTACT_FIELDS, fields, names);
  const contact = { ...EMPTY_CONTACT, ...values };
  const state = readState(contact.deliveryState);
  if (state && contact.postalCode !== '' && !isPostalCodeOf(state, contact.postalCode))
    problems.postal_code = 'otherState';
  return Object.keys(problems).length === 0 ? { ok: true, contact } : { ok: false, problems };
}

export const EMPTY_CONTACT = Object.fromEntries(
  Object.values(CONTACT_FIELDS).map(({ column }) => [column, '']),
) as Contact;

/** Returns the contact columns of an order. */
export function contactOf(order: Contact): Contact {
  const columns = Object.values(CONTACT_FIELDS).map(({ column }) => [column, order[column]]);
  return Object.fromEntries(columns) as Contact;
}

/** Returns the address columns of an order. */
export function addressOf(order: Address): Address {
  const columns = Object.values(ADDRESS_FIELDS).map(({ column }) => [column, order[column]]);
  return Object.fromEntries(columns) as Address;
}

/** Parses a Mexican phone number: 10 digits, with or without separators and `+52`. */
function parsePhone(text: string): string | undefined {
  const digits = text.replace(/[\s().-]/g, '').replace(/^\+52/, '');
  return /^\d{10}$/.test(digits) ? digits : undefined;
}

// ASCII only: the gateway refuses other letters before the @, and few mailboxes use them. A domain has an ASCII form.
const LOCAL_PART = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/;
const LABEL = /^(?!-)[\p{L}\p{N}-]{1,63}(?<!-)$/u;

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const labels = text.slice(at + 1).split('.');
  if (at < 1 || !LOCAL_PART.test(local)) return false;
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return false;
  return labels.length >= 2 && labels.every((label) => LABEL.test(label));
}
