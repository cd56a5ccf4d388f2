import { pipeline } from 'node:stream/promises';
import type { BusboyHeaders } from '@fastify/busboy';
import type { Request, RequestHandler } from 'express';
import { ShopError } from '../../domain/shop-error.js';

/** In bytes. A phone’s photo of 50 megapixels has up to 15 MB. */
export const FILE_LIMIT = 20 * 1024 * 1024;
const FILE_FIELD = 'file';
const LIMITS = { fileSize: FILE_LIMIT, files: 1, fields: 20, fieldSize: 4_096, parts: 21, headerPairs: 20 } as const;

/** The posted file. `undefined`: none was chosen. Its name and its declared type are not read. */
export type UploadedFile = Buffer | 'too_big' | undefined;

const files = new WeakMap<Request, UploadedFile>();

/** Returns the file that `readUpload` read. */
export function uploadedFileOf(req: Request): UploadedFile {
  return files.get(req);
}

/**
 * Parses a multipart form with one file of at most 20 MB. The fields become `req.body`, as those of other forms. The rest of
 * a file that is too big is read and dropped, so that the browser gets the response. Throws `unsupported_type` for another
 * body, and `bad_request` for a form with other parts or an incomplete one.
 */
export const readUpload: RequestHandler = async (req, _res, next) => {
  if (!req.is('multipart/form-data')) throw new ShopError('unsupported_type');
  // Imported lazily: most requests and most processes read no file.
  const { Busboy } = await import('@fastify/busboy');
  const fields: [name: string, value: string][] = [];
  const parts: UploadedFile[] = [];
  let isComplete = true;
  try {
    const parser = new Busboy({ headers: req.headers as BusboyHeaders, limits: LIMITS });
    parser.on('field', (name, value) => fields.push([name, value]));
    parser.on('file', (name, stream) => {
      const chunks: Buffer[] = [];
      let isTooBig = false;
      // An incomplete body is an error of the parser and of this stream. Without a listener the process would end.
      stream.on('error', () => {
        isComplete = false;
      });
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('limit', () => {
        isTooBig = true;
        chunks.length = 0;
      });
      stream.on('end', () => {
        const bytes = Buffer.concat(chunks);
        if (name !== FILE_FIELD) isComplete = false;
        // A form without a chosen file posts an empty one.
        parts.push(isTooBig ? 'too_big' : bytes.length > 0 ? bytes : undefined);
      });
    });
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
      parser.on(limit, () => {
        isComplete = false;
      });
    await pipeline(req, parser);
  } catch (error) {
    throw new ShopError('bad_request', { cause: error });
  }
  if (!isComplete) throw new ShopError('bad_request');
  req.body = Object.fromEntries(fields);
  files.set(req, parts[0]);
  next();
};
