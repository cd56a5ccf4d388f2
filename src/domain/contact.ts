import { holdsCardNumber } from './card-data.js';

/** The customer's name and e-mail address as stored in the order: NFC, trimmed, without control characters. */
export interface Contact {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

export type ContactFieldName = 'first_name' | 'last_name' | 'email';
export type FieldProblem = 'required' | 'tooLong' | 'invalid' | 'cardData';

/** First and last name together stay below the gateway's limit of 255 characters. */
export const NAME_LIMIT = 120;
export const EMAIL_LIMIT = 254;

export type ContactReading =
  | { readonly ok: true; readonly contact: Contact }
  | { readonly ok: false; readonly problems: Readonly<Partial<Record<ContactFieldName, FieldProblem>>> };

/** Parses the contact form and returns the contact, or one problem per invalid field. */
export function readContact(fields: Readonly<Record<string, unknown>>): ContactReading {
  const first = readName(fields['first_name']);
  const last = readName(fields['last_name']);
  const email = readEmail(fields['email']);
  if ('value' in first && 'value' in last && 'value' in email) {
    return { ok: true, contact: { firstName: first.value, lastName: last.value, email: email.value } };
  }
  return {
    ok: false,
    problems: {
      ...('problem' in first && { first_name: first.problem }),
      ...('problem' in last && { last_name: last.problem }),
      ...('problem' in email && { email: email.problem }),
    },
  };
}

export type Reading = { readonly value: string } | { readonly problem: FieldProblem };

// Control characters, line separators, lone surrogates, byte order marks and bidirectional overrides.
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufeff]/u;

function readName(raw: unknown): Reading {
  const text = readText(raw);
  if ('problem' in text) return text;
  const value = text.value.replace(/\p{Zs}+/gu, ' ');
  if (value.length > NAME_LIMIT) return { problem: 'tooLong' };
  if (!/[\p{L}\p{N}]/u.test(value)) return { problem: 'invalid' };
  return { value };
}

/** Parses an e-mail address from a form field. */
export function readEmail(raw: unknown): Reading {
  const text = readText(raw);
  if ('problem' in text) return text;
  if (text.value.length > EMAIL_LIMIT) return { problem: 'tooLong' };
  return isEmail(text.value) ? text : { problem: 'invalid' };
}

function readText(raw: unknown): Reading {
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
