import { holdsCardNumber } from './card-data.js';
import { isPostalCodeOf, readState } from './mexican-states.js';

export type FieldProblem = 'required' | 'tooLong' | 'invalid' | 'cardData';
export type FieldResult = { readonly value: string } | { readonly problem: FieldProblem };

interface ContactField {
  /** The column of `orders`. */
  readonly column: string;
  /** Fields of the part `address` are read only if the shipping option needs an address. */
  readonly part: 'person' | 'address';
  /** Type, autofill token and on-screen keyboard of the input. `state` is a list. */
  readonly type: 'text' | 'email' | 'tel' | 'state';
  readonly autocomplete: string;
  readonly inputMode?: 'email' | 'numeric' | 'tel';
  /** In characters, as typed. */
  readonly maxLength: number;
  readonly isOptional?: boolean;
  /** Parses the posted value. */
  read(raw: unknown): FieldResult;
}

/** In characters. First and last name together stay below the gateway's limit of 255. */
export const NAME_LIMIT = 120;
export const EMAIL_LIMIT = 254;

/** The fields of the checkout form, in order. Form, order, back office, export and retention use this list. */
export const CONTACT_FIELDS = {
  first_name: {
    column: 'firstName',
    part: 'person',
    type: 'text',
    autocomplete: 'given-name',
    maxLength: NAME_LIMIT,
    read: textUpTo(NAME_LIMIT),
  },
  last_name: {
    column: 'lastName',
    part: 'person',
    type: 'text',
    autocomplete: 'family-name',
    maxLength: NAME_LIMIT,
    read: textUpTo(NAME_LIMIT),
  },
  email: {
    column: 'email',
    part: 'person',
    type: 'email',
    autocomplete: 'email',
    inputMode: 'email',
    maxLength: EMAIL_LIMIT,
    read: readEmail,
  },
  street: {
    column: 'street',
    part: 'address',
    type: 'text',
    autocomplete: 'address-line1',
    maxLength: 120,
    read: textUpTo(120),
  },
  interior_number: {
    column: 'interiorNumber',
    part: 'address',
    type: 'text',
    autocomplete: 'address-line2',
    maxLength: 30,
    isOptional: true,
    read: optional(textUpTo(30)),
  },
  neighborhood: {
    column: 'neighborhood',
    part: 'address',
    type: 'text',
    autocomplete: 'address-level3',
    maxLength: 100,
    read: textUpTo(100),
  },
  municipality: {
    column: 'municipality',
    part: 'address',
    type: 'text',
    autocomplete: 'address-level2',
    maxLength: 100,
    read: textUpTo(100),
  },
  state: {
    column: 'deliveryState',
    part: 'address',
    type: 'state',
    autocomplete: 'address-level1',
    maxLength: 3,
    read: readStateCode,
  },
  postal_code: {
    column: 'postalCode',
    part: 'address',
    type: 'text',
    autocomplete: 'postal-code',
    inputMode: 'numeric',
    maxLength: 5,
    read: readPostalCode,
  },
  phone: {
    column: 'phone',
    part: 'address',
    type: 'tel',
    autocomplete: 'tel-national',
    inputMode: 'tel',
    maxLength: 20,
    read: readPhone,
  },
  delivery_notes: {
    column: 'deliveryNotes',
    part: 'address',
    type: 'text',
    autocomplete: 'off',
    maxLength: 250,
    isOptional: true,
    read: optional(textUpTo(250)),
  },
} as const satisfies Readonly<Record<string, ContactField>>;

export type ContactFieldName = keyof typeof CONTACT_FIELDS;
export const CONTACT_FIELD_NAMES = Object.keys(CONTACT_FIELDS) as readonly ContactFieldName[];
type AddressFieldName = {
  [Name in ContactFieldName]: (typeof CONTACT_FIELDS)[Name]['part'] extends 'address' ? Name : never;
}[ContactFieldName];
export const ADDRESS_FIELD_NAMES = CONTACT_FIELD_NAMES.filter(isAddressField);
export const PERSON_FIELD_NAMES = CONTACT_FIELD_NAMES.filter((name) => !isAddressField(name));

function isAddressField(name: ContactFieldName): name is AddressFieldName {
  return CONTACT_FIELDS[name].part === 'address';
}

/** The customer's data as stored in the order: NFC, trimmed, without control characters. */
export type Contact = Record<(typeof CONTACT_FIELDS)[ContactFieldName]['column'], string>;
/** The part of a contact that an order without delivery leaves empty. */
export type Address = Pick<Contact, (typeof CONTACT_FIELDS)[AddressFieldName]['column']>;

/** `otherState`: the postal code is not one of the chosen state. */
export type ContactProblem = FieldProblem | 'otherState';

export type ContactResult =
  | { readonly ok: true; readonly contact: Contact }
  | { readonly ok: false; readonly problems: Readonly<Partial<Record<ContactFieldName, ContactProblem>>> };

/**
 * Parses the named fields of the contact form and returns the contact, or one problem per invalid field. Fields that are
 * not named are empty in the contact.
 */
export function readContact(
  fields: Readonly<Record<string, unknown>>,
  names: readonly ContactFieldName[],
): ContactResult {
  const problems: Partial<Record<ContactFieldName, ContactProblem>> = {};
  const contact = mapContact((name) => {
    const result = names.includes(name) ? CONTACT_FIELDS[name].read(fields[name]) : { value: '' };
    if ('value' in result) return result.value;
    problems[name] = result.problem;
    return '';
  });
  const state = readState(contact.deliveryState);
  if (state && contact.postalCode !== '' && !isPostalCodeOf(state, contact.postalCode))
    problems.postal_code = 'otherState';
  return Object.keys(problems).length === 0 ? { ok: true, contact } : { ok: false, problems };
}

/** Builds a contact from one value per field. */
export function mapContact(read: (name: ContactFieldName) => string): Contact {
  const entries = CONTACT_FIELD_NAMES.map((name) => [CONTACT_FIELDS[name].column, read(name)]);
  return Object.fromEntries(entries) as Contact;
}

/** Returns the contact columns of an order. */
export function contactOf(order: Contact): Contact {
  return mapContact((name) => order[CONTACT_FIELDS[name].column]);
}

/** Returns the address columns of an order. */
export function addressOf(order: Address): Address {
  const entries = ADDRESS_FIELD_NAMES.map((name) => [
    CONTACT_FIELDS[name].column,
    order[CONTACT_FIELDS[name].column],
  ]);
  return Object.fromEntries(entries) as Address;
}

// Control characters, line separators, lone surrogates, byte order marks and bidirectional overrides.
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufeff]/u;

/** Returns a parser for one line of text with a letter or a digit. */
export function textUpTo(maxLength: number): (raw: unknown) => FieldResult {
  return (raw) => {
    const text = readText(raw);
    if ('problem' in text) return text;
    const value = text.value.replace(/\p{Zs}+/gu, ' ');
    if (value.length > maxLength) return { problem: 'tooLong' };
    if (!/[\p{L}\p{N}]/u.test(value)) return { problem: 'invalid' };
    return { value };
  };
}

/** Returns a parser that also accepts an empty field. */
function optional(read: (raw: unknown) => FieldResult): (raw: unknown) => FieldResult {
  return (raw) => {
    const result = read(raw);
    return 'problem' in result && result.problem === 'required' ? { value: '' } : result;
  };
}

/** Parses a Mexican phone number: 10 digits, with or without separators and `+52`. */
function readPhone(raw: unknown): FieldResult {
  const text = readText(raw);
  if ('problem' in text) return text;
  if (text.value.length > CONTACT_FIELDS.phone.maxLength) return { problem: 'tooLong' };
  const digits = text.value.replace(/[\s().-]/g, '').replace(/^\+52/, '');
  return /^\d{10}$/.test(digits) ? { value: digits } : { problem: 'invalid' };
}

/** Parses a Mexican postal code: 5 digits. */
export function readPostalCode(raw: unknown): FieldResult {
  const text = readText(raw);
  if ('problem' in text) return text;
  if (text.value.length > CONTACT_FIELDS.postal_code.maxLength) return { problem: 'tooLong' };
  return /^\d{5}$/.test(text.value) ? text : { problem: 'invalid' };
}

function readStateCode(raw: unknown): FieldResult {
  const text = readText(raw);
  if ('problem' in text) return text;
  return readState(text.value) ? text : { problem: 'invalid' };
}

/** Parses an e-mail address from a form field. */
export function readEmail(raw: unknown): FieldResult {
  const text = readText(raw);
  if ('problem' in text) return text;
  if (text.value.length > EMAIL_LIMIT) return { problem: 'tooLong' };
  return isEmail(text.value) ? text : { problem: 'invalid' };
}

function readText(raw: unknown): FieldResult {
  if (raw === undefined || raw === '') return { problem: 'required' };
  if (typeof raw !== 'string') return { problem: 'invalid' };
  const value = raw.normalize('NFC').trim();
  if (value === '') return { problem: 'required' };
  if (UNFIT.test(value)) return { problem: 'invalid' };
  if (holdsCardNumber(value)) return { problem: 'cardData' };
  return { value };
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
