import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type Packed, pack } from './packing.js';

/** A file below `public/` that is small once it is packed. */
export interface Text {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly packed: Packed;
}

export interface Assets {
  /** The directory that is served, `public/`. */
  readonly directory: string;
  /** `/shop.css` → `/shop.css?v=<hash of its bytes>`, which may be kept for ever. */
  url(path: string): string;
  /** Whether there is a file at this path, written as browsers write it. */
  has(path: string): boolean;
  /** Style, scripts and drawings; what is packed already, as photographs are, is not among them. */
  text(path: string): Text | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads every file below the directory once, at start. The simulator's own files are none of the shop's. */
export function loadAssets(directory: string): Assets {
  const versions = new Map<string, string>();
  const addresses = new Set<string>();
  const texts = new Map<string, Text>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(directory.length).replaceAll('\\', '/');
    if (entry.isFile() && !name.startsWith('/simulator/')) {
      const plain = readFileSync(path);
      const version = createHash('sha256').update(plain).digest('hex').slice(0, 12);
      const type = TYPES[extname(name)];
      versions.set(name, version);
      addresses.add(encodeURI(name));
      if (type) texts.set(name, { type, etag: `W/"${version}"`, plain, packed: pack(plain) });
    }
  }
  return {
    directory,
    url: (path) => `${path}?v=${versions.get(path) ?? 'unknown'}`,
    has: (path) => addresses.has(path),
    text: (path) => texts.get(path),
  };
}
