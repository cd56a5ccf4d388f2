import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import express, { type RequestHandler, type Response } from 'express';
import { pictureHashOf } from '../domain/picture.js';

/** Path prefix of the static files. */
export const ASSETS_PATH = '/assets';

/**
 * Returns the URL of a file below `public/`: `/shop.css` → `/assets/shop.css?v=<fingerprint>`. The address of an uploaded
 * picture stays.
 */
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
  return (path) => urls.get(path) ?? (pictureHashOf(path) ? path : `${ASSETS_PATH}${path}`);
}

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
