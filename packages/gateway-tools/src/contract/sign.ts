/** Signed requests of `POST /api/v1/process/`: public documents, docs/gateway-interface.md section 5. */
import { createHmac } from 'node:crypto';

/**
 * Writes a body with sorted keys and no blanks. `ascii` escapes what is not ASCII, as the gateway's Python sample does, and
 * `utf8` does not, as its Node sample.
 */
export function canonicalJson(body: object, text: 'ascii' | 'utf8'): string {
  const json = JSON.stringify(sortKeys(JSON.parse(JSON.stringify(body))));
  const toEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text === 'ascii' ? json.replace(/[^\x20-\x7e]/g, toEscape) : json;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortKeys(member)]));
}

/** Returns Base64 of HMAC-SHA256 over the body as it is sent. */
export function signatureOf(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}
