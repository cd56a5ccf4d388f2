import { once } from 'node:events';
import type { BusboyHeaders, BusboyInstance } from '@fastify/busboy';
import type { Request } from 'express';
import { ShopError } from '../../shop/rules/shop-error.js';
import { makePlain } from '../../web/form-body.js';

/** In bytes. A phone’s photo of 50 megapixels has up to 15 MB. */
export const FILE_LIMIT = 20 * 1024 * 1024;
/** Of the fields and the boundaries of the form, in bytes. */
const FIELDS_LIMIT = 128 * 1024;
/** Longest pause between two parts of a body, in milliseconds. The server limits the time for the whole body. */
const STALLED_MS = 10_000;
const FILE_FIELD = 'file';
/** The form of a new product has the most and the longest fields. */
const LIMITS = { files: 1, fields: 40, fieldSize: 24 * 1024, parts: 41, headerPairs: 20 } as const;

/** The posted file. `undefined`: none was chosen. Its name and its declared type are not read. */
export type UploadedFile = Buffer | 'too_big' | 'empty' | undefined;

interface ReadOptions {
  /** In bytes. 0: the form is read up to its file, which counts as too big. */
  readonly fileLimit?: number | undefined;
  readonly stalledMs?: number;
}

/**
 * Parses a multipart form with one file, by default of at most 20 MB. The fields become `req.body`, as those of other forms. A file that is
 * too big is refused as soon as this is known: from the length of the body, else during the transfer. Closes a connection that
 * sends nothing for 10 s. Throws `unsupported_type` for another body, `too_large` for one without an end, and `bad_request`
 * for a form with other parts or an incomplete one.
 */
export async function readUpload(req: Request, options: ReadOptions = {}): Promise<UploadedFile> {
  const { fileLimit = FILE_LIMIT, stalledMs = STALLED_MS } = options;
  if (!req.is('multipart/form-data')) throw new ShopError('unsupported_type');
  req.setTimeout(stalledMs, () => req.destroy());
  try {
    return await parse(req, fileLimit);
  } catch (error) {
    throw error instanceof ShopError ? error : new ShopError('bad_request', { cause: error });
  } finally {
    req.setTimeout(0);
    // A browser reads the response after it sent its body. The rest is dropped.
    req.resume();
  }
}

async function parse(req: Request, fileLimit: number): Promise<UploadedFile> {
  // Imported lazily: most requests and most processes read no file.
  const { Busboy } = await import('@fastify/busboy');
  const parser = new Busboy({ headers: req.headers as BusboyHeaders, limits: { ...LIMITS, fileSize: fileLimit } });
  const form = collect(parser, Number(req.headers['content-length'] ?? 0), fileLimit);
  await readBody(req, { parser, form, bodyLimit: fileLimit + FIELDS_LIMIT });
  if (!form.isComplete) throw new ShopError('bad_request');
  req.body = makePlain(Object.fromEntries(form.fields));
  if (form.isTooBig) return 'too_big';
  if (form.length === 0) return form.hasFile ? 'empty' : undefined;
  return form.bytes.subarray(0, form.length);
}

/** Reads up to the end, or to what makes the form refused. */
async function readBody(req: Request, { parser, form, bodyLimit }: Reading): Promise<void> {
  const finished = once(parser, 'finish');
  // A parser that failed is noticed at its end.
  finished.catch(() => {});
  let received = 0;
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (!parser.write(chunk)) await Promise.race([once(parser, 'drain'), finished]);
    if (form.isTooBig || !form.isComplete) return;
    if (received > bodyLimit) throw new ShopError('too_large');
  }
  parser.end();
  await finished;
}

interface Reading {
  readonly parser: BusboyInstance;
  readonly form: UploadForm;
  readonly bodyLimit: number;
}

interface UploadForm {
  readonly fields: [name: string, value: string][];
  /** Memory that was not written yet is not used. */
  readonly bytes: Buffer;
  length: number;
  hasFile: boolean;
  isTooBig: boolean;
  isComplete: boolean;
}

/**
 * Returns the form, which grows while the parser reads it. `announced` is the length of the body, 0 if it is unknown. With a
 * `fileLimit` of 0 no file is read.
 */
function collect(parser: BusboyInstance, announced: number, fileLimit: number): UploadForm {
  const bytes = Buffer.allocUnsafeSlow(Math.min(announced || fileLimit, fileLimit));
  const form: UploadForm = { fields: [], bytes, length: 0, hasFile: false, isTooBig: false, isComplete: true };
  const spoil = () => {
    form.isComplete = false;
  };
  parser.on('field', (name, value) => form.fields.push([name, value]));
  parser.on('file', (name, stream, fileName) => {
    if (name !== FILE_FIELD) spoil();
    // A form without a chosen file posts an empty one without a name.
    form.hasFile = fileName !== '';
    form.isTooBig = announced > fileLimit + FIELDS_LIMIT || fileLimit === 0;
    // An incomplete body is an error of the parser and of this stream. Without a listener the process would end.
    stream.on('error', spoil);
    stream.on('data', (chunk: Buffer) => {
      form.length += chunk.copy(form.bytes, form.length);
    });
    stream.on('limit', () => {
      form.isTooBig = true;
    });
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.on(limit, spoil);
  return form;
}
