/** Authentication of calls: the API key (interface, section 5), and the optional signature of payments. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { ApiError, isRecord } from './api-error.js';
import type { Settings } from './settings.js';
import type { SimulatorState } from './state.js';

/** Throws unless the header is exactly `Authorization: Token <key>`. */
export function requireApiKey(state: SimulatorState, req: Request): void {
  const header = req.get('Authorization');
  if (header === undefined) throw new ApiError(401, 'authentication_required', 'The Authorization header is missing.');
  if (!equal(header, `Token ${state.options.apiKey}`))
    throw new ApiError(401, 'invalid_api_key', 'The Authorization header does not contain the API key.');
}

/** Throws when a signing secret is set and the payment is not signed with it. */
export function requireSignature(state: SimulatorState, req: Request, body: unknown): void {
  const { signingSecret, signingText } = state.settings;
  if (signingSecret === null) return;
  const header = req.get('X-Signature-Transaction');
  if (header === undefined) throw new ApiError(401, 'authentication_required', 'Signature required');
  const accepted = signedTexts(body, signingText).map((text) => {
    return createHmac('sha256', signingSecret).update(text).digest('base64');
  });
  if (!accepted.some((signature) => equal(header, signature)))
    throw new ApiError(401, 'invalid_authentication', 'Invalid signature');
}

/** The body with sorted keys and no blanks, as the published Python sample writes it, the Node sample, or both. */
function signedTexts(body: unknown, signingText: Settings['signingText']): readonly string[] {
  const utf8 = JSON.stringify(sortKeys(body));
  const ascii = utf8.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return { both: [ascii, utf8], ascii: [ascii], utf8: [utf8] }[signingText];
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort((left, right) => (left < right ? -1 : 1));
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]));
}

function equal(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
