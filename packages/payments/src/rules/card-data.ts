/** Distinguishes card numbers from card tokens. This server must only process tokens. */
import { plainText } from './plain-text.js';

const CARD_TOKEN_FIELDS = ['card_number', 'cardholder_name', 'cvv', 'expiration_month', 'expiration_year'] as const;

/** The five values that the tokenizer returns for one card (docs/gateway-interface.md section 2.1.2). */
export type CardTokens = Readonly<Record<(typeof CARD_TOKEN_FIELDS)[number], string>>;

/** 12 to 19 digits in blocks of four, joined by hyphens. The last block may be shorter. */
const NUMBER_TOKEN = /^(?=.{14,23}$)(?:\d{4}-){2,4}\d{1,4}$/;
const VALUE_TOKEN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Returns the card tokens among posted fields, or `undefined` if any is missing or not a token. A card number typed with
 * hyphens has the form of a number token. The other four must be UUIDs, which typed card data never is.
 */
export function readCardTokens(fields: Readonly<Record<string, unknown>>): CardTokens | undefined {
  const isToken = (name: string) => {
    const form = name === 'card_number' ? NUMBER_TOKEN : VALUE_TOKEN;
    return typeof fields[name] === 'string' && form.test(fields[name]);
  };
  if (!CARD_TOKEN_FIELDS.every(isToken)) return undefined;
  return Object.fromEntries(CARD_TOKEN_FIELDS.map((name) => [name, fields[name]])) as CardTokens;
}

/** Returns whether the digits have a valid Luhn check digit. */
export function passesLuhn(digits: string): boolean {
  let total = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - place));
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    total += doubled > 9 ? doubled - 9 : doubled;
  }
  return total % 10 === 0;
}

/** UUIDs and other hexadecimal ids, such as session ids. Half of their characters may be digits by chance. */
const HEX_NAME =
  /(?<![0-9a-z])(?=[0-9-]{0,35}[a-f])(?:[0-9a-f]{32,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-z])/u;
/** 13 or more digits, with or without the usual separators. */
const DIGIT_RUN = /[0-9](?:(?:[\s./|·•⋅‧∙\p{Pd}\u2043\u2212]{0,3}|,)[0-9]){12,}/u;
/** The shortest number token, which has too few digits for `DIGIT_RUN`. */
const SHORTEST_TOKEN = /(?<![0-9])[0-9]{4}-[0-9]{4}-[0-9]{4}(?![0-9])/u;
/**
 * The groups of a card with one other sign between them, always the same: 4-4-4-4 or 4-6-5. In other groups such signs are
 * those of times and of ids, such as `09:00` and `cs_11_2`.
 */
const GROUPED =
  /(?<![0-9])[0-9]{4}(?<sign>[^\p{L}\p{N}\s])(?:[0-9]{6}\k<sign>[0-9]{4,5}|(?:[0-9]{4}\k<sign>){2,3}[0-9]{1,7})(?![0-9])/u;
const NAME_OR_RUN = new RegExp(
  [`(?<name>${HEX_NAME.source})`, DIGIT_RUN.source, SHORTEST_TOKEN.source, GROUPED.source].join('|'),
  'giu',
);
/** Longer runs are refused without a Luhn search, to limit the work. No valid field has as many digits in a row. */
const LONGEST_RUN = 200;

/** Returns the text with its digits of any script as 0 to 9, and without invisible characters. */
function withPlainDigits(text: string): string {
  return plainText(text.normalize('NFKC')).replace(/[^\P{Nd}0-9]/gu, digitOf);
}

/** The ten digits of a script have successive code points. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

const PHONE = /^(?:\+|00)(?!3[47]\d{13}$|3[0689]\d{12}$)[1-9]\d{6,14}$/;

/**
 * Returns whether a telephone number may be a card number. With its country code it has at most 15 digits (E.164), which often
 * pass the Luhn check. Those with length and prefix of American Express and Diners Club are no telephone numbers.
 */
export function isCardNumberAsPhone(phone: string): boolean {
  return holdsCardNumber(phone) && !PHONE.test(plainText(phone).replace(/[\s()./-]/g, ''));
}

/** Returns whether a text contains 13 to 19 digits, in any script and usual grouping, that pass the Luhn check. */
export function holdsCardNumber(text: string): boolean {
  return [...withPlainDigits(text).matchAll(NAME_OR_RUN)].some(
    ([run, name]) => name === undefined && hasCardNumberInside(run.replace(/[^0-9]/g, '')),
  );
}

/** Masks number tokens and every run of 13 or more digits, also without a valid check digit, because tokens look the same. */
export function maskCardNumbers(text: string): string {
  return withPlainDigits(text).replace(NAME_OR_RUN, (run: string, name: string | undefined) =>
    name === undefined ? '[digits]' : run,
  );
}

function hasCardNumberInside(digits: string): boolean {
  if (digits.length > LONGEST_RUN) return true;
  for (let start = 0; start + 13 <= digits.length; start += 1) {
    for (let length = 13; length <= 19 && start + length <= digits.length; length += 1) {
      if (passesLuhn(digits.slice(start, start + length))) return true;
    }
  }
  return false;
}
