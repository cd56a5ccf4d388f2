import { holdsCardNumber } from './card-data.js';

export type FieldProblem = 'required' | 'tooLong' | 'invalid' | 'cardData';
export type FieldResult = { readonly value: string } | { readonly problem: FieldProblem };

interface ContactField {
  /** The column of `orders`. */
  readonly column: string;
  /** Type and autofill token of the input. */
  readonly type: 'text' | 'email' | 'tel';
  readonly autocomplete: string;
  /** In characters. */
  readonly maxLength: number;
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
    type: 'text',
    autocomplete: 'given-name',
    maxLength: NAME_LIMIT,
    read: readName,
  },
  last_name: {
    column: 'lastName',
    type: 'text',
    autocomplete: 'family-name',
    maxLength: NAME_LIMIT,
    read: readName,
  },
  email: { column: 'email', type: 'email', autocomplete: 'email', maxLength: EMAIL_LIMIT, read: readEmail },
} as const satisfies Readonly<Record<string, ContactField>>;

export type ContactFieldName = keyof typeof CONTACT_FIELDS;
export const CONTACT_FIELD_NAMES = Object.keys(CONTACT_FIELDS) as readonly ContactFieldName[];

/** The customer's data as stored in the order: NFC, trimmed, without control characters. */
export type Contact = Record<(typeof CONTACT_FIELDS)[ContactFieldName]['column'], string>;

export type ContactResult =
  | { readonly ok: true; readonly contact: Contact }
  | { readonly ok: false; readonly problems: Readonly<Partial<Record<ContactFieldName, FieldProblem>>> };

/** Parses the contact form and returns the contact, or one problem per invalid field. */
export function readContact(fields: Readonly<Record<string, unknown>>): ContactResult {
  const problems: Partial<Record<ContactFieldName, FieldProblem>> = {};
  const contact = mapContact((name) => {
    const result = CONTACT_FIELDS[name].read(fields[name]);
    if ('value' in result) return result.value;
    problems[name] = result.problem;
    return '';
  });
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

// Control characters, line separators, lone surrogates, byte order marks and bidirectional overrides.
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufeff]/u;

function readName(raw: unknown): FieldResult {
  const text = readText(raw);
  if ('problem' in text) return text;
  const value = text.value.replace(/\p{Zs}+/gu, ' ');
  if (value.length > NAME_LIMIT) return { problem: 'tooLong' };
  if (!/[\p{L}\p{N}]/u.test(value)) return { problem: 'invalid' };
  return { value };
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
