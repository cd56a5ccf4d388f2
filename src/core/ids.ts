/** Names for orders and links, made from random bytes that the caller brings. */

/** Bytes that {@link timeOrderedId} uses up. */
export const ID_BYTES = 10;

/**
 * A UUID of version 7 (RFC 9562) for `at`, in milliseconds since 1970: what is made in the same while lies side by side
 * in every index that it is in, and is written together.
 */
export function timeOrderedId(at: number, random: Uint8Array): string {
  const time = at.toString(16).padStart(12, '0');
  const digits = [...random].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = '89ab'.charAt((random[1] ?? 0) % 4);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digits.slice(0, 3)}-${variant}${digits.slice(4, 7)}-${digits.slice(8)}`;
}

/** Without look-alikes (0 O, 1 I L) and sound-alikes in Spanish (B V, C Z S, G J, Q U). */
const SPOKEN = '23456789ADEFHJKMNPRTWXYC';

/** Bytes that {@link orderNumber} uses up. */
export const ORDER_NUMBER_BYTES = 32;

/** Bytes behind an order's link: 192 bits, beyond guessing. */
export const ORDER_TOKEN_BYTES = 24;

/** `TG-7KMX-2AFR`: short, unordered, readable aloud. Unique only by the database's word. */
export function orderNumber(random: Uint8Array): string {
  const fair = [...random].filter((byte) => byte < 240).map((byte) => SPOKEN.charAt(byte % SPOKEN.length));
  const symbols = fair.slice(0, 8).join('').padEnd(8, SPOKEN.charAt(0));
  return `TG-${symbols.slice(0, 4)}-${symbols.slice(4)}`;
}

/** The order's number however it was typed: small letters, blanks, no hyphens, no `TG`; `undefined` when it cannot be one. */
export function readOrderNumber(typed: string): string | undefined {
  const symbols = /^(?:TG)?([A-Z0-9]{4})([A-Z0-9]{4})$/.exec(typed.toUpperCase().replace(/[\s\p{Pd}]/gu, ''));
  return symbols ? `TG-${symbols[1]}-${symbols[2]}` : undefined;
}

/** The secret part of an order's address. */
export function orderToken(random: Uint8Array): string {
  return btoa(String.fromCharCode(...random))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Whether a text has the form of an order token; says nothing about whether the order exists. */
export function isOrderToken(text: string): boolean {
  return /^[\w-]{32}$/.test(text);
}

/**
 * The reference the service is given for an attempt: the order's number, with a suffix from the second card
 * attempt on, because `client_reference` names one payment and not one order.
 */
export function cardReference(number: string, ordinal: number): string {
  return ordinal === 1 ? number : `${number}-${ordinal}`;
}

/** The number of the order that an attempt's reference belongs to. */
export function numberInReference(reference: string): string {
  return /^TG-\w{4}-\w{4}(?=-\d+$)/.exec(reference)?.[0] ?? reference;
}
