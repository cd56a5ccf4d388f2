import { holdsCardNumber } from './card-data.js';

/** Who buys, as the order keeps it: NFC, trimmed, free of control characters. */
export interface Contact {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

export type ContactFieldName = 'first_name' | 'last_name' | 'email';
export type FieldProblem = 'required' | 'tooLong' | 'invalid' | 'cardData';

/** First and last name together stay below the 255 characters the service takes. */
export const NAME_LIMIT = 120;
export const EMAIL_LIMIT = 254;

export type ContactReading =
  | { readonly ok: true; readonly contact: Contact }
  | { readonly ok: false; readonly problems: Readonly<Partial<Record<ContactFieldName, FieldProblem>>> };

/** Reads the contact form; every problem is named at its field. */
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

// Control characters, line separators, lone surrogates and the marks that reverse the direction of what follows.
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufeff]/u;

function readName(raw: unknown): Reading {
  const text = readText(raw);
  if ('problem' in text) return text;
  const value = text.value.replace(/\p{Zs}+/gu, ' ');
  if (value.length > NAME_LIMIT) return { problem: 'tooLong' };
  if (!/[\p{L}\p{N}]/u.test(value)) return { problem: 'invalid' };
  return { value };
}

/** Reads an e-mail address as a form brings it. */
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

// Letters beyond ASCII before the @ reach hardly any mailbox, and the service refuses them; after it they have an ASCII form.
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
