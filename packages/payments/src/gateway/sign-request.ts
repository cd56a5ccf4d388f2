/** What the calls of the unified endpoint `POST /api/v1/process/` share (docs/gateway-interface.md section 4.1). */
import { createHmac } from 'node:crypto';
import { type Centavos, fromPesosText } from '../rules/money.js';
import type { GatewaySettings } from './connection.js';

/** Returns the request of a call that is sent once. */
export function signRequest(
  { signingText, signingSecret }: Pick<GatewaySettings, 'signingText' | 'signingSecret'>,
  idempotencyKey: string,
  content: Readonly<Record<string, unknown>>,
) {
  const body = canonicalJson(content, signingText);
  // Base64 of HMAC-SHA256 over the body as sent (docs/gateway-interface.md).
  const signature = signingSecret && createHmac('sha256', signingSecret).update(body, 'utf8').digest('base64');
  return {
    method: 'POST',
    path: '/api/v1/process/',
    body,
    headers: {
      'X-Request-Id': idempotencyKey,
      ...(signature && { 'X-Signature-Transaction': signature }),
    },
  } as const;
}

/** The gateway sends amounts as numbers or as decimal text; the shortest text of a number has its exact digits. */
export function readPesos(value: unknown): Centavos | undefined {
  if (typeof value === 'string') return fromPesosText(value);
  return typeof value === 'number' ? fromPesosText(String(value)) : undefined;
}

/**
 * Serializes a body in the form that is signed and sent: keys sorted at every depth, no blanks. `ascii` equals the
 * gateway's Python sample, `utf8` its Node sample (docs/gateway-interface.md).
 */
export function canonicalJson(value: unknown, text: GatewaySettings['signingText']): string {
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
