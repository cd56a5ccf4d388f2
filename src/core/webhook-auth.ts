/** How the service shows that a message is its own (public material: bearer token, own header, basic). */
export type WebhookAuth =
  | { readonly scheme: 'bearer'; readonly token: string }
  | { readonly scheme: 'basic'; readonly user: string; readonly password: string }
  | { readonly scheme: 'header'; readonly name: string; readonly value: string }
  /** Anyone may post; said on purpose. A message is a hint only, so nothing is believed for it. */
  | { readonly scheme: 'none' };

/** Reads `bearer:…`, `basic:user:password`, `header:Name:value` or `none`; `undefined` for anything else. */
export function readWebhookAuth(text: string): WebhookAuth | undefined {
  if (text === 'none') return { scheme: 'none' };
  const bearer = /^bearer:(\S+)$/.exec(text)?.[1];
  if (bearer !== undefined) return { scheme: 'bearer', token: bearer };
  const [, user, password] = /^basic:([^:\s]+):(\S+)$/.exec(text) ?? [];
  if (user !== undefined && password !== undefined) return { scheme: 'basic', user, password };
  const [, name, value] = /^header:([A-Za-z0-9-]+):(\S+)$/.exec(text) ?? [];
  return name !== undefined && value !== undefined ? { scheme: 'header', name, value } : undefined;
}

/** The header that an authentic message carries, lower-case, and its whole value; `undefined` where none is asked for. */
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
