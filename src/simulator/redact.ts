/** Takes out of what is shown what nobody may read over a shoulder: keys, tokens, cards, credentials, order links. */
import { isCardNumber } from './test-cards.js';
import { isRecord } from './validate.js';

export interface Discretion {
  /** Words that are secret wherever they stand. */
  readonly secrets: readonly string[];
  /** The service's own addresses are shown whole; other ones may hold an order link's token. */
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
const address = /https?:\/\/[^\s"'<>\\]+/g;
/** Shorter ones are words; 128 random bits need 22 characters. */
const tokenLength = 20;

/** Of a credential: how it is presented, and that it was there. */
export function schemeOf(value: string): string {
  const [, scheme] = /^(Token|Bearer|Basic) /i.exec(value) ?? [];
  return scheme === undefined ? hidden : `${scheme} ${hidden}`;
}

/** A body as a person reads it: JSON is laid out, anything else is told as it is, both without secrets. */
export function redactedBody(text: string, discretion: Discretion): string {
  try {
    return JSON.stringify(redactedJson(JSON.parse(text), discretion), null, 2);
  } catch {
    // Not JSON, cut, or nested beyond measure: its members are only recognised by their look.
    const members = text.replace(secretMember, `$1"${hidden}"`).replace(secretField, `$1${hidden}`);
    return redactedText(members, discretion);
  }
}

export function redactedText(text: string, { secrets, ownUrl }: Discretion): string {
  const known = secrets.reduce((rest, secret) => rest.replaceAll(secret, hidden), text);
  const shortened = known.replace(address, (url) => (isOwn(url, ownUrl) ? url : shortenedUrl(url)));
  return shortened.replace(digitRun, (run) => maskedCard(run));
}

/** A path as it was asked for, also when its secrets were written in percent signs. */
export function redactedPath(path: string, discretion: Discretion): string {
  const [before = '', query] = path.split('?', 2);
  const bare = query === undefined ? before : `${before}?…`;
  const plain = decoded(bare);
  const redacted = redactedText(plain, discretion);
  return redacted === plain ? bare : redacted;
}

function redactedJson(value: unknown, discretion: Discretion): unknown {
  if (typeof value === 'string') return redactedText(value, discretion);
  // Thirteen digits without quotes are a time in milliseconds.
  if (typeof value === 'number') return value > 1e13 ? numberOrMask(value) : value;
  if (Array.isArray(value)) return value.map((item) => redactedJson(item, discretion));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      redactedText(name, discretion),
      secretName.test(name) ? hidden : redactedJson(member, discretion),
    ]),
  );
}

function numberOrMask(value: number): number | string {
  const digits = String(value);
  return isCardNumber(digits) ? maskedCard(digits) : value;
}

function maskedCard(run: string): string {
  const digits = run.replace(/\D/g, '');
  return isCardNumber(digits) ? `•••• ${digits.slice(-4)}` : run;
}

function isOwn(url: string, ownUrl: string): boolean {
  return url === ownUrl || url.startsWith(`${ownUrl}/`);
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
