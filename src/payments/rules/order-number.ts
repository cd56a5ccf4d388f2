/** Order numbers. The caller supplies the random bytes. */
import { plainText } from './plain-text.js';

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
