/** Who may not be named in a recorded exchange, and where its addresses may lead. */
import { type RedirectRules, safeRedirect } from '../../core/redirect.js';
import type { Pseudonyms } from './pseudonyms.js';

export interface Discretion {
  readonly pseudonyms: Pseudonyms;
  /** Secret wherever they stand: the key, what signs. */
  readonly secrets: readonly string[];
  /** Where the service's own payment page may be. */
  readonly pages: RedirectRules;
  /** Small words that belong to the shopper of this exchange. */
  readonly personal: ReadonlySet<string>;
}

const LONGEST_ID = 255;
/** Shorter names also stand inside of harmless words, as Eva in evaluated. */
const SHORT = 4;

/** Whether a text holds a secret, or a word of the shopper's. */
export function isPrivate(text: string, { secrets, personal }: Discretion): boolean {
  const small = text.toLowerCase();
  const words = wordsOf(text);
  return (
    secrets.some((secret) => small.includes(secret.toLowerCase())) ||
    [...personal].some((name) => (name.length < SHORT ? words.includes(name) : small.includes(name)))
  );
}

/** The shopper's words in the body of a request: all parts of the names, and what stands before the @. */
export function personalWords(body: unknown): ReadonlySet<string> {
  const { customer } = Object(body) as { readonly customer?: unknown };
  const { name, first_name, last_name, email } = Object(customer) as Readonly<Record<string, unknown>>;
  const names = [name, first_name, last_name].filter((text) => typeof text === 'string').flatMap(wordsOf);
  const local = typeof email === 'string' ? email.slice(0, email.lastIndexOf('@')).toLowerCase() : '';
  return new Set([...names, local].filter((word) => word.length > 1));
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).map((word) => word.toLowerCase());
}

/** All that is told of a text which may not be written: how long it is. */
export function blot(text: string): string {
  return text === '' ? '' : `‹text of ${text.length}›`;
}

export function pseudonymOf(value: string | number, { pseudonyms }: Discretion): string | number {
  if (typeof value === 'number') return pseudonyms.number(value);
  return value === '' || value.length > LONGEST_ID ? blot(value) : pseudonyms.text(value);
}

/** Whether a shopper could be sent to an address, and nothing else of it. */
export function addressKind(address: string, { pages }: Discretion): string {
  const { allowLoopbackHttp } = pages;
  if (address === '') return '';
  if (safeRedirect(address, pages)) return `‹page address of ${address.length}›`;
  const web = safeRedirect(address, { allowLoopbackHttp });
  return `‹${web ? 'web' : 'unsafe'} address of ${address.length}›`;
}
