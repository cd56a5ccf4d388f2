/** Signs a payment by the gateway's public documents. Shares no code with the shop. */
import { createHmac } from 'node:crypto';

export interface Signing {
  readonly secret: string;
  /** The encoding, as in PAYMENTS_SIGNING_TEXT. */
  readonly text: 'ascii' | 'utf8';
}

/** Returns the signature and the body that it covers: keys sorted, no whitespace. Send the body unchanged. */
export function signBody(
  body: unknown,
  { secret, text }: Signing,
): { readonly body: string; readonly signature: string } {
  const utf8 = JSON.stringify(body, (_name, value: unknown) => sorted(value));
  const signed = text === 'ascii' ? utf8.replace(/[^ -~]/g, escaped) : utf8;
  return { body: signed, signature: createHmac('sha256', secret).update(signed).digest('base64') };
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
