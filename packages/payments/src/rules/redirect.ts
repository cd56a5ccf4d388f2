/** Checks redirect URLs from the gateway. */
import { parseUrl } from './parse-url.js';

export interface RedirectRules {
  /** Allowed origins; absent allows any https host, because the bank's host is not known in advance. */
  readonly origins?: readonly string[];
  /** Allows http to loopback hosts, for the simulator outside production. */
  readonly allowLoopbackHttp: boolean;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const LONGEST = 4096;

/**
 * Returns the normalized URL if it is a safe redirect target, otherwise `undefined`. Safe: https (or allowed loopback
 * http), an allowed origin, no user info, at most 4,096 characters. White space, control characters and backslashes are
 * refused.
 */
export function safeRedirect(address: string, rules: RedirectRules): string | undefined {
  if (address.length > LONGEST || /[\s\\\p{Cc}]/u.test(address)) return undefined;
  const url = parseUrl(address);
  if (!url) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  if (rules.origins && !rules.origins.includes(url.origin)) return undefined;
  const isLoopback = url.protocol === 'http:' && isLoopbackHost(url.hostname);
  const isAllowed = url.protocol === 'https:' || (isLoopback && rules.allowLoopbackHttp);
  return isAllowed && url.href.length <= LONGEST ? url.href : undefined;
}

/**
 * Returns whether the host name is a loopback name or address.
 * @public also used by tools
 */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.has(host);
}
