/** Validates the card form of the hosted page. A chosen test card needs no other field. */
import { z } from 'zod';
import type { Messages } from './messages-es.js';
import type { CardSummary } from './model.js';
import { isCardNumber, summarizeCard } from './test-cards.js';
import { hasExpired } from './tokenizer.js';

export interface CardForm {
  readonly card: CardSummary;
  /** Field → message. */
  readonly errors: Readonly<Record<string, string>>;
  /** Shown again in the form; never the number or the CVV. */
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

/** Returns the card and the errors of the form. */
export function parseCardForm(body: unknown, nowMs: number, t: Messages): CardForm {
  const { test_card, card_number, cardholder_name, expiry, cvv } = schema.parse(body ?? {});
  const values = { cardholder_name: cardholder_name.slice(0, 255), expiry };
  if (isCardNumber(test_card)) return { card: summarizeCard(test_card), errors: {}, values };
  const number = card_number.replace(/[\s-]/g, '');
  const errors: Record<string, string> = {};
  if (!isCardNumber(number)) errors['card_number'] = t.cardNumberWrong;
  if (cardholder_name.trim() === '' || cardholder_name.length > 255)
    errors['cardholder_name'] = t.cardholderNameWrong;
  if (!isFuture(expiry, nowMs)) errors['expiry'] = t.expiryWrong;
  if (!/^[0-9]{3,4}$/.test(cvv.trim())) errors['cvv'] = t.cvvWrong;
  return { card: summarizeCard(number), errors, values };
}

function isFuture(expiry: string, nowMs: number): boolean {
  const parts = /^\s*(0?[1-9]|1[0-2])\s*[/-]?\s*((?:20)?[0-9]{2})\s*$/.exec(expiry);
  if (parts === null) return false;
  const [, expiration_month = '', expiration_year = ''] = parts;
  return !hasExpired({ expiration_month, expiration_year }, nowMs);
}
