import { createHmac } from 'node:crypto';

/** How a body is written: with every character outside U+0020–U+007E escaped, or as plain UTF-8. */
export type SigningText = 'ascii' | 'utf8';

/**
 * Serializes a body in the form that is signed and sent: keys sorted at every depth, no blanks. `ascii` equals the
 * gateway's Python sample, `utf8` its Node sample (docs/gateway-interface.md).
 */
export function canonicalJson(value: unknown, text: SigningText): string {
  const json = sortedJson(value);
  return text === 'ascii' ? json.replace(/[^\x20-\x7e]/g, escapeCodeUnit) : json;
}

function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${sortedJson(member)}`);
  return `{${members.join(',')}}`;
}

/** Called for each half of a surrogate pair, because Python escapes both halves too. */
function escapeCodeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Returns the value of `X-Signature-Transaction`: Base64 of HMAC-SHA256 over the body as sent (docs/gateway-interface.md). */
export function signBody(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body, 'utf8').digest('base64');
}
