/** A path of word characters and hyphens, with an optional query string. */
const LOCAL = /^\/(?:[A-Za-z0-9_-][\w-]*(?:\/[\w-]+)*)?(?:\?[\w%.~+*=&-]+)?$/;
const LONGEST_LOCAL = 400;

/** Returns a local path from a request, or `/` if a browser could resolve it to another site. */
export function localPath(raw: unknown): string {
  const path = typeof raw === 'string' ? raw : '';
  return LOCAL.test(path) && path.length <= LONGEST_LOCAL ? path : '/';
}
