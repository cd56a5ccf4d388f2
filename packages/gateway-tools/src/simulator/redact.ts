/** Removes keys, tokens, card data, credentials and order links from the list at `/wire`. */
import { parseUrl } from './parse-url.js';
import { isCardNumber } from './test-cards.js';

export interface Redaction {
  /** Texts that are secret at any place. */
  readonly secrets: readonly string[];
  /** URLs below it are complete; other URLs are shortened, because they may contain an order token. */
  readonly ownUrl: string;
}

const hidden = '[redacted]';
const secretNames =
  'card_number|cardholder_name|cvv|cvc|pan|expiration_month|expiration_year|' +
  '[a-z_-]*(?:token|secret|password|api_?key|authorization|signature)';
const secretName = new RegExp(`^(?:${secretNames})$`, 'i');
const secretJsonField = new RegExp(`("(?:${secretNames})"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*"?|[^\\s,}\\]]+)`, 'gi');
const secretFormField = new RegExp(`((?:^|[?&\\s])(?:${secretNames})=)[^&\\s]+`, 'gim');
/** A session id, which may contain such digits by chance, or the digits of a possible card number. */
const sessionIdOrDigits = /cs_\d+_\d+_[0-9a-f]{48}|(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;
/** Milliseconds since 1970. No card number has 13 digits and begins with 1. */
const milliseconds = /^1\d{12}$/;
const url = /https?:\/\/[^\s"'<>\\]+/g;
/** An order token has 128 random bits, which need 22 characters. */
const minTokenLength = 20;

/** Returns the scheme of a credential without its value. */
export function credentialScheme(value: string): string {
  const [, scheme] = /^(Token|Bearer|Basic) /i.exec(value) ?? [];
  return scheme === undefined ? hidden : `${scheme} ${hidden}`;
}

/** Returns a body without secrets; JSON is indented. */
export function redactBody(text: string, redaction: Redaction): string {
  return redactText(redactFields(text), redaction);
}

/** Returns a text without secrets. URLs are shortened and card numbers masked. */
export function redactText(text: string, { secrets, ownUrl }: Redaction): string {
  return secrets
    .reduce((rest, secret) => rest.replaceAll(secret, hidden), text)
    .replace(url, (found) => (found === ownUrl || found.startsWith(`${ownUrl}/`) ? found : shortenUrl(found)))
    .replace(sessionIdOrDigits, maskCardNumber);
}

/** Returns a path without its query and without secrets, percent-encoded ones included. */
export function redactPath(path: string, redaction: Redaction): string {
  const [before = '', query] = path.split('?', 2);
  const withoutQuery = query === undefined ? before : `${before}?…`;
  const decoded = decode(withoutQuery);
  const redacted = redactText(decoded, redaction);
  return redacted === decoded ? withoutQuery : redacted;
}

function redactFields(text: string): string {
  try {
    const hide = (name: string, value: unknown) => (secretName.test(name) ? hidden : value);
    return JSON.stringify(JSON.parse(text, hide), null, 2);
  } catch {
    return text.replace(secretJsonField, `$1"${hidden}"`).replace(secretFormField, `$1${hidden}`);
  }
}

function maskCardNumber(run: string): string {
  if (run.startsWith('cs_')) return run;
  const digits = run.replace(/\D/g, '');
  return isCardNumber(digits) && !milliseconds.test(run) ? `•••• ${digits.slice(-4)}` : run;
}

function shortenUrl(text: string): string {
  const url = parseUrl(text);
  if (!url) return hidden;
  const { origin, pathname, searchParams } = url;
  const path = pathname.split('/').map(shorten).join('/');
  const query = [...searchParams].map(([name, value]) => `${name}=${shorten(value)}`).join('&');
  return `${origin}${path}${query === '' ? '' : `?${query}`}`;
}

function shorten(part: string): string {
  return part.length < minTokenLength || part.startsWith('cs_') ? part : `${part.slice(0, 4)}…`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
