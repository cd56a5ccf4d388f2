/** Text fields of forms: how they are shown, parsed and stored. Pure. */
import { holdsCardNumber, isCardNumberAsPhone, plainText } from '@tianguis/payments/rules';
import { isDay } from './mexico-day.js';

/** `customer`: order page and receipt. `merchant`: back office and mails to the merchant. `packing`: packing slip. */
export type FactReader = 'customer' | 'merchant' | 'packing';

export interface FormField {
  /** The column in which it is stored. */
  readonly column: string;
  /** Autofill token. Default: `off`. */
  readonly autocomplete?: string;
  /** On-screen keyboard. `email` and `tel` are also the type of the input. */
  readonly inputMode?: 'email' | 'numeric' | 'tel';
  /** A calendar day in Mexico City, stored as `2026-11-21`. */
  readonly type?: 'date';
  /** The first day that a new order may have, in days after the present one. */
  readonly minDaysAhead?: number;
  /** In characters. Absent for a list. */
  readonly maxLength?: number;
  readonly isOptional?: boolean;
  /** The checkout form of the next order offers the value again. Absent: the value belongs to one order, as a delivery date. */
  readonly isRemembered?: boolean;
  /** The readers that see the value beside name, e-mail, shipping and address. Files always have it. Default: none. */
  readonly shownTo?: readonly FactReader[];
  /** Returns the value to store, or `undefined` for an invalid text. Default: {@link parseText}, or a day. */
  parse?(text: string): string | undefined;
}

/**
 * `otherState`: the postal code is not one of the chosen state. `notDelivered`: the shop does not deliver there. `publicRfc`: the RFC stands for the public in general or for
 * customers abroad. `tooEarly`: before the first day. `otherKind`: the tax regime belongs to the other kind of receiver. `otherRegime`: the SAT does not
 * accept the use of the invoice with this regime. `formerEmail`: an admin user replaced this address in the order. The form asks once.
 */
export type FieldProblem =
  | 'required'
  | 'tooLong'
  | 'tooEarly'
  | 'invalid'
  | 'cardData'
  | 'otherState'
  | 'notDelivered'
  | 'publicRfc'
  | 'otherKind'
  | 'otherRegime'
  | 'formerEmail';

// Control characters, line separators and lone surrogates.
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Parses a posted value: NFC, without invisible characters, with plain hyphens, trimmed, one line, single spaces, then the rule of the field, then its limit. */
export function readField(
  raw: unknown,
  { maxLength, isOptional, inputMode, type, parse = type === 'date' ? parseDay : parseText }: FormField,
): { readonly value: string } | { readonly problem: FieldProblem } {
  if (raw !== undefined && typeof raw !== 'string') return { problem: 'invalid' };
  const text = plainText(raw ?? '')
    .normalize('NFC')
    .trim()
    .replace(/\p{Zs}+/gu, ' ');
  if (text === '') return isOptional ? { value: '' } : { problem: 'required' };
  if (UNFIT.test(text)) return { problem: 'invalid' };
  const value = parse(text);
  // A Mexican phone number with its prefix may pass as a card number. Its stored value does not.
  if (cardCheckOf({ inputMode })(value ?? text)) return { problem: 'cardData' };
  if (value === undefined) return { problem: 'invalid' };
  return maxLength !== undefined && value.length > maxLength ? { problem: 'tooLong' } : { value };
}

/** Returns the check of a field for card numbers. A telephone number may look like one. */
export function cardCheckOf({ inputMode }: Pick<FormField, 'inputMode'>): (text: string) => boolean {
  return inputMode === 'tel' ? isCardNumberAsPhone : holdsCardNumber;
}

/** Parses the named fields of a form. Returns the valid values by column, and one problem per invalid field. */
export function readFields<Name extends string>(
  fields: Readonly<Record<Name, FormField>>,
  posted: Readonly<Record<string, unknown>>,
  names: readonly Name[],
) {
  const values: Record<string, string> = {};
  const problems: Partial<Record<Name, FieldProblem>> = {};
  for (const name of names) {
    const result = readField(posted[name], fields[name]);
    if ('problem' in result) problems[name] = result.problem;
    else values[fields[name].column] = result.value;
  }
  return { values, problems };
}

/** Accepts a text with a letter or a digit. */
export function parseText(text: string): string | undefined {
  return /[\p{L}\p{N}]/u.test(text) ? text : undefined;
}

function parseDay(text: string): string | undefined {
  return isDay(text) ? text : undefined;
}

/** Length of the internal note of an order, in characters. */
export const NOTE_LIMIT = 500;
