import { createHmac } from 'node:crypto';

/**
 * The body in the canonical form that the public material signs: keys sorted at every depth, no blanks, UTF-8. It is
 * also what is sent, so that both sides hash the same bytes.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/** The value of `X-Signature-Transaction`: Base64 of HMAC-SHA256 (see docs/service-gaps.md). */
export function signBody(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body, 'utf8').digest('base64');
}
