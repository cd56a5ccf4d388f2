/** Removes keys, tokens, card data, credentials and order links from what `/wire` shows. */
import { isCardNumber } from './test-cards.js';

export interface Redaction {
  /** Texts that are secret at any place. */
  readonly secrets: readonly string[];
  /** Addresses below it are shown whole; others may hold the token of an order link. */
  readonly ownUrl: string;
}

const hidden = '[redacted]';
const secretNames =
  'card_number|cardholder_name|cvv|cvc|pan|expiration_month|expiration_year|' +
  '[a-z_-]*(?:token|secret|password|api_?key|authorization|signature)';
const secretName = new RegExp(`^(?:${secretNames})$`, 'i');
const secretMember = new RegExp(`("(?:${secretNames})"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*"?|[^\\s,}\\]]+)`, 'gi');
const secretField = new RegExp(`((?:^|[?&\\s])(?:${secretNames})=)[^&\\s]+`, 'gim');
const digitRun = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;
/** Milliseconds since 1970; no card number has 13 digits and begins with 1. */
const milliseconds = /^1\d{12}$/;
const address = /https?:\/\/[^\s"'<>\\]+/g;
/** 128 random bits need 22 characters. */
const tokenLength = 20;

/** Returns the scheme of a credential without its value. */
export function schemeOf(value: string): string {
  const [, scheme] = /^(Token|Bearer|Basic) /i.exec(value) ?? [];
  return scheme === undefined ? hidden : `${scheme} ${hidden}`;
}

/** Returns a body without secrets; JSON is indented. */
export function redactedBody(text: string, redaction: Redaction): string {
  return redactedText(withoutSecretMembers(text), redaction);
}

/** Returns a text without secrets. URLs are shortened and card numbers masked. */
export function redactedText(text: string, { secrets, ownUrl }: Redaction): string {
  return secrets
    .reduce((rest, secret) => rest.replaceAll(secret, hidden), text)
    .replace(address, (url) => (url === ownUrl || url.startsWith(`${ownUrl}/`) ? url : shortenedUrl(url)))
    .replace(digitRun, maskedCard);
}

/** Returns a path without its query and without secrets, percent-encoded ones included. */
export function redactedPath(path: string, redaction: Redaction): string {
  const [before = '', query] = path.split('?', 2);
  const bare = query === undefined ? before : `${before}?…`;
  const plain = decoded(bare);
  const redacted = redactedText(plain, redaction);
  return redacted === plain ? bare : redacted;
}

function withoutSecretMembers(text: string): string {
  try {
    const hide = (name: string, value: unknown) => (secretName.test(name) ? hidden : value);
    return JSON.stringify(JSON.parse(text, hide), null, 2);
  } catch {
    return text.replace(secretMember, `$1"${hidden}"`).replace(secretField, `$1${hidden}`);
  }
}

function maskedCard(run: string): string {
  const digits = run.replace(/\D/g, '');
  return isCardNumber(digits) && !milliseconds.test(run) ? `•••• ${digits.slice(-4)}` : run;
}

function shortenedUrl(text: string): string {
  if (!URL.canParse(text)) return hidden;
  const { origin, pathname, searchParams } = new URL(text);
  const path = pathname.split('/').map(shortened).join('/');
  const query = [...searchParams].map(([name, value]) => `${name}=${shortened(value)}`).join('&');
  return `${origin}${path}${query === '' ? '' : `?${query}`}`;
}

function shortened(part: string): string {
  return part.length < tokenLength || part.startsWith('cs_') ? part : `${part.slice(0, 4)}…`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
