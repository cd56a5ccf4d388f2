/** Judges the addresses that the service hands us before a shopper is sent there. */
import { isLoopbackHost } from './environments.js';

export interface RedirectRules {
  /** Where the address may lead; absent means any https host (a bank's, which nobody knows beforehand). */
  readonly origins?: readonly string[];
  /** Plain http to this very machine is for the simulator, outside production only. */
  readonly allowLoopbackHttp: boolean;
}

const LONGEST = 2048;

/** Plain words between slashes, and what a search adds to them. */
const LOCAL = /^\/(?:[A-Za-z0-9_-][\w-]*(?:\/[\w-]+)*)?(?:\?[\w%.~+=&-]+)?$/;
const LONGEST_LOCAL = 400;

/**
 * The address in its parsed form when a shopper may be sent there, else `undefined`: https only (http to loopback
 * where allowed), no user info, no control characters or backslashes, an allowed origin.
 */
export function safeRedirect(address: string, rules: RedirectRules): string | undefined {
  if (address.length > LONGEST || /[\s\\\p{Cc}]/u.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return undefined;
  if (rules.origins && !rules.origins.includes(url.origin)) return undefined;
  return hasSafeScheme(url, rules) ? url.href : undefined;
}

function hasSafeScheme(url: URL, rules: RedirectRules): boolean {
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && rules.allowLoopbackHttp && isLoopbackHost(url.hostname);
}

/** A path of this shop that came from outside, or `/` when it could lead elsewhere. */
export function localPath(raw: unknown): string {
  const path = typeof raw === 'string' ? raw : '';
  return LOCAL.test(path) && path.length <= LONGEST_LOCAL ? path : '/';
}
