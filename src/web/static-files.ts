import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { pictureHashOf } from '../shop/rules/picture.js';

/** Path prefix of the static files. */
export const ASSETS_PATH = '/assets';

/**
 * Returns the URL of a file below `public/`: `/shop.css` → `/assets/shop.css?v=<fingerprint>`. A path that begins with the
 * name of a feature may be a file of its own `public/`. The address of an uploaded picture stays.
 */
export type AssetUrl = (path: string) => string;

interface AssetDirectories {
  readonly publicDirectory: string;
  /** The features, each with `public/` if it has static files. */
  readonly featuresDirectory: string;
}

/**
 * Returns the URLs of the static files. The fingerprint is a part of the SHA-256 of the content. It is read again
 * when the file has changed. The URL of an unknown file has no fingerprint. Throws if `public/` cannot be read.
 */
export function fingerprintAssets({ publicDirectory, featuresDirectory }: AssetDirectories): AssetUrl {
  readdirSync(publicDirectory);
  const findFile = (path: string): StaticFile | undefined => {
    const [, feature = '', ...rest] = path.split('/');
    return fileAt(join(publicDirectory, path)) ?? fileAt(join(featuresDirectory, feature, 'public', ...rest));
  };
  const known = new Map<string, { readonly stamp: string; readonly url: string }>();
  return (path) => {
    if (pictureHashOf(path)) return path;
    const url = `${ASSETS_PATH}${path}`;
    const file = findFile(path);
    if (!file) return url;
    const before = known.get(path);
    if (before?.stamp === file.stamp) return before.url;
    const content = readFileSync(file.path);
    const fingerprint = createHash('sha256').update(content).digest('hex').slice(0, 12);
    const current = { stamp: file.stamp, url: `${url}?v=${fingerprint}` };
    known.set(path, current);
    return current.url;
  };
}

interface StaticFile {
  readonly path: string;
  /** Changes with each replacement of the file: the time of the last change and the size. */
  readonly stamp: string;
}

/** Returns the file at the path, or `undefined` without one. */
function fileAt(path: string): StaticFile | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? { path, stamp: `${stats.ctimeMs} ${stats.size}` } : undefined;
  } catch {
    // A text may name a path that no file can have.
    return undefined;
  }
}

const COLOR_PATH = /^\/color-([\da-f]{6})\.css$/;

/** Returns the address of the stylesheet that sets the main color `#RRGGBB`. Pages have no inline style. */
export function colorPath(color: string): string {
  return `${ASSETS_PATH}/color-${color.slice(1).toLowerCase()}.css`;
}

/** Serves the stylesheets of {@link colorPath}. */
export const colorStylesheet: RequestHandler = (req, res, next) => {
  const [, color] = COLOR_PATH.exec(req.path) ?? [];
  if (color === undefined) return next();
  cacheForAll(res, true);
  res.type('css').send(`:root { --brand: #${color}; }\n`);
};

const YEAR_S = 31_536_000;
const FIVE_MINUTES_S = 300;

/**
 * Serves the files of `public/`, and below the name of each feature those of its own `public/`. A URL with a fingerprint is
 * cached for 1 year, any other for 5 minutes.
 */
export function staticFiles(directories: AssetDirectories, features: readonly string[]): RequestHandler {
  const { publicDirectory, featuresDirectory } = directories;
  const options = { index: false, redirect: false, cacheControl: false, setHeaders } as const;
  const router = express.Router();
  router.use(express.static(publicDirectory, options));
  for (const name of features) router.use(`/${name}`, express.static(join(featuresDirectory, name, 'public'), options));
  return router;
}

function setHeaders(res: Response): void {
  cacheForAll(res, res.req.query['v'] !== undefined);
}

/** Lets browsers and proxies store a response that is the same for all customers. An immutable one is stored for 1 year. */
export function cacheForAll(res: Response, isImmutable: boolean): void {
  // These headers vary by customer and request. With `Vary`, a new cookie would cause a second download.
  for (const name of ['Vary', 'Content-Language', 'X-Request-Id']) res.removeHeader(name);
  // Mails in the browser show the logo, a cross-origin picture.
  res.set('Cross-Origin-Resource-Policy', 'cross-origin');
  const cacheControl = isImmutable ? `public, max-age=${YEAR_S}, immutable` : `public, max-age=${FIVE_MINUTES_S}`;
  res.set('Cache-Control', cacheControl);
}

/** Sends XML that is kept as gzip. A client that does not accept gzip gets it decompressed. */
export async function sendCompressedXml(req: Request, res: Response, compressed: Buffer): Promise<void> {
  // Without it, proxies and browsers keep a copy for a time of their own.
  res.type('application/xml').vary('Accept-Encoding').set('Cache-Control', 'no-cache');
  if (req.acceptsEncodings('gzip') === 'gzip') {
    res.set('Content-Encoding', 'gzip').send(compressed);
    return;
  }
  await pipeline(Readable.from([compressed]), createGunzip(), res).catch(unlessClosed);
}

/** A client that closes the connection is no fault. */
function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}
