import type { IRouter, Request, RequestHandler } from 'express';
import { PICTURE_WIDTHS, PREVIEW } from '../../domain/picture.js';
import type { WebContext } from '../../web/context.js';
import { paths } from '../../web/paths.js';
import { cacheForAll } from '../../web/static-files.js';
import { findPictureFile } from './repository.js';

/** Adds the files of pictures. They are the same for all customers, and never change. */
export function addPictureFiles(app: IRouter, { checkout }: WebContext): void {
  const sendFile: RequestHandler = async (req, res, next) => {
    const found = fileNameOf(req);
    const bytes = found && (await findPictureFile(checkout.db.queries, found.hash, found.width));
    if (!bytes) return next('route');
    cacheForAll(res, true);
    res.set('ETag', `"${found.hash}-${found.width}"`);
    res.type(found.width === PREVIEW ? 'image/jpeg' : 'image/webp').send(bytes);
  };
  app.get(paths.picture, sendFile);
  app.get(paths.sizedPicture, sendFile);
}

function fileNameOf({ params }: Request): { readonly hash: string; readonly width: number } | undefined {
  const { hash, width } = params;
  if (typeof hash !== 'string' || !/^[\da-f]{64}$/.test(hash)) return undefined;
  if (width === undefined) return { hash, width: PREVIEW };
  const known = PICTURE_WIDTHS.find((each) => String(each) === width);
  return known && { hash, width: known };
}
