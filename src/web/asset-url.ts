import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Path prefix of the static files. */
export const ASSETS_PATH = '/assets';

/** Returns the URL of a file below `public/`: `/shop.css` → `/assets/shop.css?v=<fingerprint>`. */
export type AssetUrl = (path: string) => string;

/**
 * Fingerprints each file of the directory once, at start. The fingerprint is a part of the SHA-256 of the content.
 * The URL of an unknown file has no fingerprint. Throws if the directory cannot be read.
 */
export function fingerprintAssets(directory: string): AssetUrl {
  const urls = new Map<string, string>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(directory, file).replaceAll(sep, '/')}`;
    const fingerprint = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);
    urls.set(path, `${ASSETS_PATH}${path}?v=${fingerprint}`);
  }
  return (path) => urls.get(path) ?? `${ASSETS_PATH}${path}`;
}
