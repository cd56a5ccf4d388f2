/** Validates the card form of the hosted page; a chosen test card needs no other field. */
import { z } from 'zod';
import type { Words } from './messages-es.js';
import type { CardFace } from './model.js';
import { faceOf, isCardNumber } from './test-cards.js';
import { hasExpired } from './tokenizer.js';

type FieldErrors = Partial<Record<'card_number' | 'cardholder_name' | 'expiry' | 'cvv', string>>;

export interface CardForm {
  readonly card: CardFace;
  readonly errors: FieldErrors;
  /** Shown again in the form; never the number or the code. */
  readonly values: { readonly cardholder_name: string; readonly expiry: string };
}

const text = z.string().catch('');
const schema = z.object({
  test_card: text,
  card_number: text,
  cardholder_name: text,
  expiry: text,
  cvv: text,
});

/** Returns the card and the errors of the form by field name. */
export function readCardForm(body: unknown, nowMs: number, w: Words): CardForm {
  const form = schema.parse(body ?? {});
  const { cardholder_name, expiry } = form;
  if (isCardNumber(form.test_card)) {
    return { card: faceOf(form.test_card), errors: {}, values: { cardholder_name, expiry } };
  }
  const number = form.card_number.replace(/[\s-]/g, '');
  const errors = {
    ...(isCardNumber(number) ? {} : { card_number: w.cardNumberWrong }),
    ...(isName(cardholder_name) ? {} : { cardholder_name: w.cardholderNameWrong }),
    ...(isFuture(expiry, nowMs) ? {} : { expiry: w.expiryWrong }),
    ...(/^[0-9]{3,4}$/.test(form.cvv.trim()) ? {} : { cvv: w.cvvWrong }),
  };
  return { card: faceOf(number), errors, values: { cardholder_name: cardholder_name.slice(0, 255), expiry } };
}

function isName(value: string): boolean {
  return value.trim() !== '' && value.length <= 255;
}

function isFuture(expiry: string, nowMs: number): boolean {
  const parts = /^\s*(0?[1-9]|1[0-2])\s*[/-]?\s*((?:20)?[0-9]{2})\s*$/.exec(expiry);
  if (parts === null) return false;
  const [, month = '', year = ''] = parts;
  return !hasExpired({ expiration_month: month, expiration_year: year }, nowMs);
}
