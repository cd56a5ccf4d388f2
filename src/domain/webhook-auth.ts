/** Webhook authentication: bearer token, basic authentication or a custom header (docs/gateway-interface.md). */
export type WebhookAuth =
  /** The header of each request, with its lower-case name. */
  | { readonly scheme: 'header'; readonly name: string; readonly value: string }
  /** No authentication. Webhook events are hints only, and the lookup decides. */
  | { readonly scheme: 'none' };

/** Parses `bearer:…`, `basic:user:password`, `header:Name:value` or `none`; returns `undefined` for other texts. */
export function readWebhookAuth(text: string): WebhookAuth | undefined {
  if (text === 'none') return { scheme: 'none' };
  const bearer = /^bearer:(\S+)$/.exec(text)?.[1];
  if (bearer !== undefined) return { scheme: 'header', name: 'authorization', value: `Bearer ${bearer}` };
  const basic = /^basic:([^:\s]+:\S+)$/.exec(text)?.[1];
  if (basic !== undefined) return { scheme: 'header', name: 'authorization', value: `Basic ${btoa(basic)}` };
  const [, name, value] = /^header:([A-Za-z0-9-]+):(\S+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) return undefined;
  return { scheme: 'header', name: name.toLowerCase(), value };
}
