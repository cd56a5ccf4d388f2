import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Assets {
  /** The directory that is served, `public/`. */
  readonly directory: string;
  /** `/shop.css` → `/shop.css?v=<hash of its bytes>`, which may be kept for ever. */
  url(path: string): string;
}

/** Reads every file below the directory once, at start. The simulator's own files are none of the shop's. */
export function loadAssets(directory: string): Assets {
  const versions = new Map<string, string>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(directory.length).replaceAll('\\', '/');
    if (entry.isFile() && !name.startsWith('/simulator/')) {
      versions.set(name, createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12));
    }
  }
  return {
    directory,
    url: (path) => `${path}?v=${versions.get(path) ?? 'unknown'}`,
  };
}
