/** Ids, order numbers, order tokens and references. The caller supplies the random bytes. */
import { plainText } from './plain-text.js';

/** Random bytes that {@link timeOrderedId} uses. */
export const ID_BYTES = 10;

/**
 * Returns a UUIDv7 (RFC 9562) for `at`, in milliseconds since 1970. Rows created together are adjacent in every index,
 * which reduces page writes.
 */
export function timeOrderedId(at: number, random: Uint8Array): string {
  const time = at.toString(16).padStart(12, '0');
  const digits = [...random].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = '89ab'.charAt((random[1] ?? 0) % 4);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digits.slice(0, 3)}-${variant}${digits.slice(4, 7)}-${digits.slice(8)}`;
}

/** Excludes look-alikes (0 O, 1 I L). Has at most one of the letters that sound alike: B V, C Z S, G J, Q U. */
const SPOKEN = '23456789ADEFHJKMNPRTWXYC';

/** Random bytes that {@link orderNumber} uses. */
export const ORDER_NUMBER_BYTES = 32;

/** Returns an order number such as `TG-7KMX-2AFR`. Uniqueness is enforced by the database. */
export function orderNumber(prefix: string, random: Uint8Array): string {
  const fair = [...random].filter((byte) => byte < 240).map((byte) => SPOKEN.charAt(byte % SPOKEN.length));
  const symbols = fair.slice(0, 8).join('').padEnd(8, SPOKEN.charAt(0));
  return `${prefix}-${symbols.slice(0, 4)}-${symbols.slice(4)}`;
}

/**
 * Parses a typed order number; `undefined` if it is not one. Ignores case, spaces, hyphens and a missing `prefix`. A
 * number with an earlier prefix needs its hyphens, and so does the reference of an attempt, which contains the number.
 */
export function readOrderNumber(typed: string, prefix: string): string | undefined {
  const text = plainText(typed)
    .trim()
    .toUpperCase()
    .replace(/\p{Pd}/gu, '-');
  const number = /^([A-Z]{2}-[A-Z0-9]{4}-[A-Z0-9]{4})(?:-\d{1,3})?$/.exec(text)?.[1];
  if (number !== undefined) return number;
  const symbols = text.replace(/[\s-]/g, '').replace(new RegExp(`^${prefix}(?=.{8}$)`), '');
  return /^[A-Z0-9]{8}$/.test(symbols) ? `${prefix}-${symbols.slice(0, 4)}-${symbols.slice(4)}` : undefined;
}

/** Random bytes of an order token: 191 bits of them, which cannot be guessed. */
export const ORDER_TOKEN_BYTES = 24;

/**
 * Returns an order token, the secret part of an order's address: base64url without padding. It ends with a letter or digit,
 * because mail programs leave a hyphen or underscore at the end out of a link.
 */
export function orderToken(random: Uint8Array): string {
  return btoa(String.fromCharCode(...random))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
    .replace(/-$/, 'a')
    .replace(/_$/, 'b');
}

/** Returns whether a text has the form of an order token. The order may not exist. */
export function isOrderToken(text: string): boolean {
  return /^[\w-]{32}$/.test(text);
}

/** A token at the beginning of a text: whole, or without its last sign. No letter or digit follows it. */
const LINKED_TOKEN = /^(?:[\w-]{32}(?![A-Za-z0-9])|[\w-]{31}(?![\w-]))/;

/** Returns the token of a link's text without the signs that follow it, as typed. Empty if the text begins with none. */
export function linkedToken(text: string): string {
  return LINKED_TOKEN.exec(text)?.[0] ?? '';
}

/**
 * Returns what `find` returns for the token of a link's text, or `undefined`. Older tokens may end with a hyphen or underscore
 * that a mail program left out, so a token without its last sign is tried with both.
 */
export async function findByToken<T>(
  text: string,
  find: (token: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  const token = linkedToken(text);
  if (isOrderToken(token)) return find(token);
  return token === '' ? undefined : ((await find(`${token}-`)) ?? (await find(`${token}_`)));
}

/** Names the attempt of a browser that returns from its bank. Other persons with the link of the order do not know the id. */
export const RETURN_PARAMETER = 'attempt';

/**
 * Returns the `external_id` or `client_reference` of an attempt: the order number, with a suffix from the second attempt on.
 * The gateway's reference is unique (interface section 2.4.1) and names one payment, not one order.
 */
export function attemptReference(number: string, ordinal: number): string {
  return ordinal === 1 ? number : `${number}-${ordinal}`;
}

/** Returns the order number in an attempt's reference. */
export function numberInReference(reference: string): string {
  return /^[A-Z]{2}-\w{4}-\w{4}(?=-\d+$)/.exec(reference)?.[0] ?? reference;
}

/** Above the ordinals of attempts, so that no number ends as a reference of another order does. */
const LIKE_REFERENCE = /-\d{1,3}$/;
const NUMBER = /^[A-Za-z0-9][A-Za-z0-9-]{2,39}$/;

/**
 * Returns why a text must not be an order number. The numbers `A-1` and `A-1-2` would be the same at the gateway: the second is
 * also the second attempt of the first.
 */
export function orderNumberProblem(number: string): string | undefined {
  if (!NUMBER.test(number)) return 'an order number has 3 to 40 letters, digits and hyphens';
  return LIKE_REFERENCE.test(number) ? 'an order number must not end in a hyphen and up to three digits' : undefined;
}
