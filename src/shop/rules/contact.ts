/** The customer's contact and delivery address. Pure. */
import { type FieldProblem, type FormField, readFields } from './form-field.js';
import { addDays, dayOf } from './mexico-day.js';
import { OWN_FIELDS } from './own-fields.js';

/** The states by their part of ISO 3166-2:MX, with the ranges of the first two digits of their postal codes. */
const POSTAL_CODES = {
  AGU: [20, 20],
  BCN: [21, 22],
  BCS: [23, 23],
  CAM: [24, 24],
  CHP: [29, 30],
  CHH: [31, 33],
  CMX: [0, 16],
  COA: [25, 27],
  COL: [28, 28],
  DUR: [34, 35],
  GUA: [36, 38],
  GRO: [39, 41],
  HID: [42, 43],
  JAL: [44, 49],
  MEX: [50, 57],
  MIC: [58, 61],
  MOR: [62, 62],
  NAY: [63, 63],
  NLE: [64, 67],
  OAX: [68, 71],
  PUE: [72, 75],
  QUE: [76, 76],
  ROO: [77, 77],
  SLP: [78, 79],
  SIN: [80, 82],
  SON: [83, 85],
  TAB: [86, 86],
  TAM: [87, 89],
  TLA: [90, 90],
  VER: [91, 96],
  YUC: [97, 97],
  ZAC: [98, 99],
} as const satisfies Readonly<Record<string, readonly [first: number, last: number]>>;

export type StateCode = keyof typeof POSTAL_CODES;
/** In alphabetical order of the Spanish names. */
export const STATE_CODES = Object.keys(POSTAL_CODES) as readonly StateCode[];

export function readState(code: unknown): StateCode | undefined {
  return STATE_CODES.find((state) => state === code);
}

/** The first and last value of the first two digits of the postal codes of a state. */
export function postalRangeOf(state: StateCode): readonly [first: number, last: number] {
  return POSTAL_CODES[state];
}

/** The municipalities of Mexico City, by the first two digits of their postal codes, from 01. */
export const CMX_MUNICIPALITIES = [
  'Álvaro Obregón',
  'Azcapotzalco',
  'Benito Juárez',
  'Coyoacán',
  'Cuajimalpa de Morelos',
  'Cuauhtémoc',
  'Gustavo A. Madero',
  'Iztacalco',
  'Iztapalapa',
  'La Magdalena Contreras',
  'Miguel Hidalgo',
  'Milpa Alta',
  'Tláhuac',
  'Tlalpan',
  'Venustiano Carranza',
  'Xochimilco',
] as const;

/** Returns whether a postal code of five digits may belong to the state, by its first two digits. */
export function isPostalCodeOf(state: StateCode, postalCode: string): boolean {
  const [first, last] = POSTAL_CODES[state];
  const start = Number(postalCode.slice(0, 2));
  return start >= first && start <= last;
}

/** In characters. First and last name together stay below the gateway's limit of 255. */
export const NAME_LIMIT = 120;
export const EMAIL_LIMIT = 254;

const PERSON_FIELDS = {
  first_name: { column: 'firstName', autocomplete: 'given-name', maxLength: NAME_LIMIT, isRemembered: true },
  /** Empty for a customer with one name. */
  last_name: {
    column: 'lastName',
    autocomplete: 'family-name',
    maxLength: NAME_LIMIT,
    isOptional: true,
    isRemembered: true,
  },
  email: {
    column: 'email',
    autocomplete: 'email',
    inputMode: 'email',
    maxLength: EMAIL_LIMIT,
    parse: (text) => (isEmail(text) ? text : undefined),
    isRemembered: true,
  },
} as const satisfies Readonly<Record<string, FormField>>;

/** Read only if the shipping option needs an address. */
const ADDRESS_FIELDS = {
  street: { column: 'street', autocomplete: 'address-line1', maxLength: 120, isRemembered: true },
  interior_number: {
    column: 'interiorNumber',
    autocomplete: 'address-line2',
    maxLength: 30,
    isOptional: true,
    isRemembered: true,
  },
  neighborhood: { column: 'neighborhood', autocomplete: 'address-level3', maxLength: 100, isRemembered: true },
  municipality: { column: 'municipality', autocomplete: 'address-level2', maxLength: 100, isRemembered: true },
  state: { column: 'deliveryState', autocomplete: 'address-level1', parse: readState, isRemembered: true },
  postal_code: {
    column: 'postalCode',
    autocomplete: 'postal-code',
    inputMode: 'numeric',
    maxLength: 5,
    parse: (text) => (/^\d{5}$/.test(text) ? text : undefined),
    isRemembered: true,
  },
  phone: {
    column: 'phone',
    autocomplete: 'tel',
    inputMode: 'tel',
    maxLength: 20,
    parse: parsePhone,
    isRemembered: true,
  },
  delivery_notes: { column: 'deliveryNotes', maxLength: 250, isOptional: true, isRemembered: true },
} as const satisfies Readonly<Record<string, FormField>>;

/** The fields of the checkout form, in order. Form, order, pages, mails, files and retention use this list. */
export const CONTACT_FIELDS = { ...PERSON_FIELDS, ...OWN_FIELDS, ...ADDRESS_FIELDS };

export type ContactFieldName = keyof typeof CONTACT_FIELDS;
export const CONTACT_FIELD_NAMES = Object.keys(CONTACT_FIELDS) as readonly ContactFieldName[];
export const PERSON_FIELD_NAMES = Object.keys(PERSON_FIELDS) as readonly (keyof typeof PERSON_FIELDS)[];
export const ADDRESS_FIELD_NAMES = Object.keys(ADDRESS_FIELDS) as readonly (keyof typeof ADDRESS_FIELDS)[];
export const OWN_FIELD_NAMES = CONTACT_FIELD_NAMES.filter((name) => name in OWN_FIELDS);
/** Read for each order. A payer of another person's order is asked for the person only. */
export const ORDER_FIELD_NAMES = [...PERSON_FIELD_NAMES, ...OWN_FIELD_NAMES];

const FIRST_ADDRESS_FIELDS: readonly string[] = ['postal_code', 'state', 'municipality', 'neighborhood'];
/** The address fields in the order of the checkout form. The postal code comes first, because it determines the state. */
export const ADDRESS_FORM_NAMES = ADDRESS_FIELD_NAMES.toSorted((one, other) => placeOf(one) - placeOf(other));

function placeOf(name: string): number {
  const place = FIRST_ADDRESS_FIELDS.indexOf(name);
  return place === -1 ? FIRST_ADDRESS_FIELDS.length : place;
}

/** Returns whether the checkout form of the next order offers the value again. */
export function isRemembered(name: ContactFieldName): boolean {
  const field: FormField = CONTACT_FIELDS[name];
  return field.isRemembered ?? false;
}

type ColumnOf<Fields extends Readonly<Record<string, FormField>>> = Fields[keyof Fields]['column'];
export type Contact = Record<ColumnOf<typeof CONTACT_FIELDS>, string>;
/** The part of a contact that an order without delivery leaves empty. */
export type Address = Record<ColumnOf<typeof ADDRESS_FIELDS>, string>;

/**
 * Parses the named fields of the contact form and returns the contact, or one problem per invalid field. Fields that are
 * not named are empty in the contact. `now`: the time of a new order. Absent for a correction, whose days may be near.
 */
export function readContact(
  fields: Readonly<Record<string, unknown>>,
  names: readonly ContactFieldName[],
  now?: number,
):
  | { readonly ok: true; readonly contact: Contact }
  | { readonly ok: false; readonly problems: Readonly<Partial<Record<ContactFieldName, FieldProblem>>> } {
  const { values, problems } = readFields(CONTACT_FIELDS, fields, names);
  const contact = { ...EMPTY_CONTACT, ...values };
  const state = readState(contact.deliveryState);
  if (state && contact.postalCode !== '' && !isPostalCodeOf(state, contact.postalCode))
    problems.postal_code = 'otherState';
  for (const name of names) {
    const first = firstDayOf(CONTACT_FIELDS[name], now);
    const value = contact[CONTACT_FIELDS[name].column];
    if (value !== '' && first !== undefined && value < first) problems[name] = 'tooEarly';
  }
  return Object.keys(problems).length === 0 ? { ok: true, contact } : { ok: false, problems };
}

/** Returns the first day that a field of a new order may have. `undefined`: it has none, or it is no new order. */
export function firstDayOf({ minDaysAhead }: FormField, now: number | undefined): string | undefined {
  return minDaysAhead === undefined || now === undefined ? undefined : addDays(dayOf(now), minDaysAhead);
}

export const EMPTY_CONTACT = Object.fromEntries(
  Object.values(CONTACT_FIELDS).map(({ column }) => [column, '']),
) as Contact;

export function contactOf(order: Contact): Contact {
  return Object.fromEntries(Object.values(CONTACT_FIELDS).map(({ column }) => [column, order[column]])) as Contact;
}

/** Returns first and last name as one text. A customer may have one name only. */
export function fullName({ firstName, lastName }: Pick<Contact, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`.trim();
}

/** Returns whether the personal data of an order was erased. Until then, each order has a first name. */
export function isErased({ firstName }: Pick<Contact, 'firstName'>): boolean {
  return firstName === '';
}

/** The country code of Mexico, also with the `1` of mobile phones, or a trunk prefix. The last two were in use until 2019. */
const PHONE = /^(?:(?:\+|00)?521?|04[45]|01)?(\d{10})$/;
/** The number with the code of another country (E.164). */
const FOREIGN_PHONE = /^(?:\+|00)(?!52)([1-9]\d{6,14})$/;

/**
 * Parses a phone number with or without separators. Returns the 10 digits of a Mexican one, and `+` with all digits of one
 * from another country.
 */
export function parsePhone(text: string): string | undefined {
  const number = text.replace(/[\s()./-]/g, '');
  const foreign = FOREIGN_PHONE.exec(number)?.[1];
  return foreign === undefined ? PHONE.exec(number)?.[1] : `+${foreign}`;
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
