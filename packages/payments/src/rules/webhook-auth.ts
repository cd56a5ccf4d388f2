import { secretValues } from './secret-values.js';

/** A header of each request: its lower-case name and its value. */
interface WebhookCredential {
  readonly name: string;
  readonly value: string;
}

/** Webhook authentication: bearer token, basic authentication or a custom header (docs/gateway-interface.md). */
export type WebhookAuth =
  /** Each of them is accepted, the newest first. */
  | { readonly scheme: 'header'; readonly credentials: readonly [WebhookCredential, ...WebhookCredential[]] }
  /** No authentication. Webhook events are hints only, and the lookup decides. */
  | { readonly scheme: 'none' };

/**
 * Parses `bearer:…`, `basic:user:password` and `header:Name:value`, one or several separated by commas, or `none`. The case
 * of these words is ignored. Returns `undefined` for other texts, also for characters that a header cannot have.
 */
export function readWebhookAuth(text: string): WebhookAuth | undefined {
  if (/^none$/i.test(text)) return { scheme: 'none' };
  const [newest, ...older] = secretValues(text).map(readCredential);
  const known = older.filter((credential) => credential !== undefined);
  if (newest === undefined || known.length < older.length) return undefined;
  return { scheme: 'header', credentials: [newest, ...known] };
}

function readCredential(text: string): WebhookCredential | undefined {
  const bearer = /^bearer:([\x21-\x7e]+)$/i.exec(text)?.[1];
  if (bearer !== undefined) return { name: 'authorization', value: `Bearer ${bearer}` };
  const basic = /^basic:([^:\s]+:\S+)$/i.exec(text)?.[1];
  if (basic !== undefined)
    return { name: 'authorization', value: `Basic ${Buffer.from(basic, 'utf8').toString('base64')}` };
  const [, name, value] = /^header:([a-z0-9-]+):([\x21-\x7e]+)$/i.exec(text) ?? [];
  return name === undefined || value === undefined ? undefined : { name: name.toLowerCase(), value };
}

/** Returns the value of a header with its authentication scheme in lower case and one blank behind it (RFC 9110, 11.1). */
export function normalizeCredential(value: string): string {
  return value.replace(/^(\S+) +/, (_match, scheme: string) => `${scheme.toLowerCase()} `);
}
