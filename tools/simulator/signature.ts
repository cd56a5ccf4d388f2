/** Authentication of calls: the API key (interface, section 5), and the optional signature of payments. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { Refusal } from './refusal.js';
import { isRecord } from './validate.js';
import type { SigningText, World } from './world.js';

/** Refuses a call whose header is not exactly `Authorization: Token <key>`. */
export function requireKey(world: World, req: Request): void {
  const header = req.get('Authorization');
  if (header === undefined)
    throw unauthorised('authentication_required', 'The Authorization header is missing.');
  if (!equal(header, `Token ${world.options.apiKey}`)) {
    throw unauthorised('invalid_api_key', 'The Authorization header is not that of a known key.');
  }
}

/** Refuses a payment that is not signed, when a signing secret is set. */
export function requireSignature(world: World, req: Request, body: unknown): void {
  const secret = world.settings.signingSecret;
  if (secret === null) return;
  const header = req.get('X-Signature-Transaction');
  if (header === undefined) throw unauthorised('authentication_required', 'Signature required');
  const accepted = textsOf(body, world.settings.signingText).map((text) => signatureOf(text, secret));
  if (!accepted.some((signature) => equal(header, signature)))
    throw unauthorised('invalid_authentication', 'Invalid signature');
}

/** The body with sorted keys and no blanks, as the published Python sample writes it, the Node sample, or both. */
function textsOf(body: unknown, signingText: SigningText): readonly string[] {
  const utf8 = JSON.stringify(sorted(body));
  const ascii = utf8.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return { both: [ascii, utf8], ascii: [ascii], utf8: [utf8] }[signingText];
}

/** Base64 of HMAC-SHA256. */
function signatureOf(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('base64');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort((left, right) => (left < right ? -1 : 1));
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}

function equal(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function unauthorised(code: string, message: string): Refusal {
  return new Refusal({ status: 401, code, type: 'auth_error', message });
}
