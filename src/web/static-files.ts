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
 * Returns the URL of a file below `public/`: `/shop.css` → `/assets/shop.css?v=<fingerprint>`. The address of an uploaded
 * picture stays.
 */
export type AssetUrl = (path: string) => string;

/**
 * Returns the URLs of the files of the directory. The fingerprint is a part of the SHA-256 of the content. It is read again
 * when the file has changed. The URL of an unknown file has no fingerprint. Throws if the directory cannot be read.
 */
export function fingerprintAssets(directory: string): AssetUrl {
  readdirSync(directory);
  const known = new Map<string, { readonly stamp: string; readonly url: string }>();
  return (path) => {
    if (pictureHashOf(path)) return path;
    const stamp = stampOf(join(directory, path));
    const url = `${ASSETS_PATH}${path}`;
    if (stamp === undefined) return url;
    const before = known.get(path);
    if (before?.stamp === stamp) return before.url;
    const content = readFileSync(join(directory, path));
    const fingerprint = createHash('sha256').update(content).digest('hex').slice(0, 12);
    const current = { stamp, url: `${url}?v=${fingerprint}` };
    known.set(path, current);
    return current.url;
  };
}

/** Returns what changes with each replacement of a file: the time of the last change and the size. */
function stampOf(file: string): string | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats?.isFile() ? `${stats.ctimeMs} ${stats.size}` : undefined;
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

/** Serves static files. A URL with a fingerprint is cached for 1 year, any other for 5 minutes. */
export function staticFiles(directory: string): RequestHandler {
  return express.static(directory, { index: false, redirect: false, cacheControl: false, setHeaders });
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
