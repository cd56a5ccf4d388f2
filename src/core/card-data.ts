/** Tells card numbers and card tokens apart: this server may hold the second kind only. */

export const CARD_TOKEN_FIELDS = [
  'card_number',
  'cardholder_name',
  'cvv',
  'expiration_month',
  'expiration_year',
] as const;

/** The five values the vault gave for one card (interface.md section 2.1.2). */
export type CardTokens = Readonly<Record<(typeof CARD_TOKEN_FIELDS)[number], string>>;

const NUMBER_TOKEN = /^\d{4}-\d{4}-\d{4}-\d{4}$/;
const VALUE_TOKEN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The card tokens among posted fields, or `undefined` when any is missing or not a token. A card number typed with
 * hyphens has a token's form; the other four must be UUID-shaped, which typed card data never is.
 */
export function readCardTokens(fields: Readonly<Record<string, unknown>>): CardTokens | undefined {
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  const tokens = {
    card_number: text('card_number'),
    cardholder_name: text('cardholder_name'),
    cvv: text('cvv'),
    expiration_month: text('expiration_month'),
    expiration_year: text('expiration_year'),
  };
  const { card_number, ...rest } = tokens;
  const allTokens =
    NUMBER_TOKEN.test(card_number) && Object.values(rest).every((value) => VALUE_TOKEN.test(value));
  return allTokens ? tokens : undefined;
}

/** Whether the digits carry the check digit of a card number (Luhn). */
export function passesLuhn(digits: string): boolean {
  let total = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - place));
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    total += doubled > 9 ? doubled - 9 : doubled;
  }
  return total % 10 === 0;
}

const DIGIT_RUN = /\d(?:[\s.\-–_/]{0,2}\d){12,}/gu;

/** Whether a text holds what may be a card number: 13 to 19 digits in any usual grouping that pass Luhn. */
export function holdsCardNumber(text: string): boolean {
  const runs = text.normalize('NFKC').match(DIGIT_RUN) ?? [];
  return runs.some((run) => hasCardNumberInside(run.replace(/\D/gu, '').slice(0, 200)));
}

function hasCardNumberInside(digits: string): boolean {
  for (let start = 0; start + 13 <= digits.length; start += 1) {
    for (let length = 13; length <= 19 && start + length <= digits.length; length += 1) {
      if (passesLuhn(digits.slice(start, start + length))) return true;
    }
  }
  return false;
}
