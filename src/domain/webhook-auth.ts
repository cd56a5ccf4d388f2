/** Webhook authentication: bearer token, basic authentication or a custom header (docs/gateway-interface.md). */
export type WebhookAuth =
  | { readonly scheme: 'bearer'; readonly token: string }
  | { readonly scheme: 'basic'; readonly user: string; readonly password: string }
  | { readonly scheme: 'header'; readonly name: string; readonly value: string }
  /** No authentication. Webhook events are hints only, and the lookup decides. */
  | { readonly scheme: 'none' };

/** Parses `bearer:…`, `basic:user:password`, `header:Name:value` or `none`; returns `undefined` for other texts. */
export function readWebhookAuth(text: string): WebhookAuth | undefined {
  if (text === 'none') return { scheme: 'none' };
  const bearer = /^bearer:(\S+)$/.exec(text)?.[1];
  if (bearer !== undefined) return { scheme: 'bearer', token: bearer };
  const [, user, password] = /^basic:([^:\s]+):(\S+)$/.exec(text) ?? [];
  if (user !== undefined && password !== undefined) return { scheme: 'basic', user, password };
  const [, name, value] = /^header:([A-Za-z0-9-]+):(\S+)$/.exec(text) ?? [];
  return name !== undefined && value !== undefined ? { scheme: 'header', name, value } : undefined;
}

/** Returns the lower-case name and the value of the required header, or `undefined` for scheme `none`. */
export function expectedHeader(
  auth: WebhookAuth,
): { readonly name: string; readonly value: string } | undefined {
  switch (auth.scheme) {
    case 'bearer':
      return { name: 'authorization', value: `Bearer ${auth.token}` };
    case 'basic':
      return { name: 'authorization', value: `Basic ${btoa(`${auth.user}:${auth.password}`)}` };
    case 'header':
      return { name: auth.name.toLowerCase(), value: auth.value };
    case 'none':
      return undefined;
  }
}
