import { pipeline } from 'node:stream/promises';
import type { NextFunction, Request, Response } from 'express';
import { PICTURE_WIDTHS } from '../../shop/rules/picture.js';
import { contextOf } from '../../web/request-context.js';
import { cacheForAll } from '../../web/static-files.js';
import { PREVIEW } from './process-picture.js';
import { type FilePart, findFilePart, type PictureFile, readFileParts } from './repository.js';

/**
 * Sends a file of a picture. It is the same for all customers, and never changes. A client that reads slowly has one part
 * of a file in memory.
 */
export async function sendPictureFile(req: Request, res: Response, next: NextFunction): Promise<void> {
  const { queries } = contextOf(res).checkout.db;
  const file = fileOf(req);
  const first = file && (await findFilePart(queries, file, 0));
  if (!first) return next('route');
  cacheForAll(res, true);
  if (file.width !== PREVIEW) res.vary('Accept');
  const type = typeOf(file, first);
  res.set('ETag', `"${file.hash}-${file.width}-${type}"`).type(`image/${type}`);
  if (req.fresh) {
    res.status(304).end();
    return;
  }
  res.set('Content-Length', String(first.length));
  if (req.method === 'HEAD') res.end();
  else await pipeline(readFileParts(queries, file, first), res).catch(unlessClosed);
}

function fileOf(req: Request): PictureFile | undefined {
  const { hash, width } = req.params;
  if (typeof hash !== 'string' || !/^[\da-f]{64}$/.test(hash)) return undefined;
  if (width === undefined) return { hash, width: PREVIEW, acceptsAvif: false };
  const known = PICTURE_WIDTHS.find((each) => String(each) === width);
  // Clients without AVIF also send a general type.
  return known && { hash, width: known, acceptsAvif: req.get('Accept')?.includes('image/avif') === true };
}

function typeOf({ width, acceptsAvif }: PictureFile, { hasAvif }: FilePart): 'jpeg' | 'avif' | 'webp' {
  if (width === PREVIEW) return 'jpeg';
  return acceptsAvif && hasAvif ? 'avif' : 'webp';
}

/** A client that closes the connection is no fault. */
function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}
