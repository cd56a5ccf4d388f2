import { createHash } from 'node:crypto';
import type { Sharp, SharpOptions } from 'sharp';
import { PICTURE_WIDTHS, PREVIEW } from '../../domain/picture.js';

/** The files of one picture. They hold pixels only: no metadata, and nothing else of the uploaded file. */
export interface PictureFiles {
  /** SHA-256 of the largest file, in hexadecimal. */
  readonly hash: string;
  readonly files: readonly { readonly width: number; readonly bytes: Buffer }[];
}

/** Why a file is not accepted. `busy`: too many others wait. */
export type PictureProblem = 'type' | 'pixels' | 'damaged' | 'busy';

/** In megapixels. The largest photos of usual phones. A progressive JPEG needs 4 bytes per pixel for a second. */
export const MAX_MEGAPIXELS = 50;
/** Higher pictures are made smaller. WebP has at most 16,383 pixels. */
const MAX_HEIGHT = 3_200;
const PREVIEW_WIDTH = 1_200;
const QUALITY = 80;
const SECONDS = 20;
const MAX_WAITING = 4;
const OPTIONS: SharpOptions = { limitInputPixels: MAX_MEGAPIXELS * 1_000_000, failOn: 'error', sequentialRead: true };

type OpenPicture = (bytes: Buffer, options: SharpOptions) => Sharp;

let opening: Promise<OpenPicture> | undefined;
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/**
 * Makes the files of a picture. Its type is that of its content: JPEG, PNG or WebP. One picture at a time is processed, so
 * that the memory of one is enough.
 */
export async function processPicture(bytes: Buffer): Promise<PictureFiles | PictureProblem> {
  if (waiting >= MAX_WAITING) return 'busy';
  waiting += 1;
  const turn = last.then(() => readAndResize(bytes));
  last = turn.catch(() => undefined);
  try {
    return await turn;
  } finally {
    waiting -= 1;
  }
}

async function readAndResize(bytes: Buffer): Promise<PictureFiles | PictureProblem> {
  opening ??= loadSharp();
  const open = await opening;
  try {
    await open(bytes, OPTIONS).metadata();
  } catch (error) {
    const { message } = error as Error;
    if (message.includes('pixel limit')) return 'pixels';
    return message.includes('unsupported image format') ? 'type' : 'damaged';
  }
  try {
    return await resize(open, bytes);
  } catch (error) {
    return (error as Error).message.includes('pixel limit') ? 'pixels' : 'damaged';
  }
}

/** The uploaded file is decoded once. All files are made from its pixels. */
async function resize(open: OpenPicture, bytes: Buffer): Promise<PictureFiles> {
  const fitting = (width: number) => ({ width, height: MAX_HEIGHT, fit: 'inside', withoutEnlargement: true }) as const;
  const [, , largest] = PICTURE_WIDTHS;
  const decoding = open(bytes, OPTIONS)
    .autoOrient()
    .resize(fitting(largest))
    .toColourspace('srgb')
    .timeout({ seconds: SECONDS });
  const { data, info } = await decoding.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pixels = () => open(data, { raw: { width, height, channels } });
  const files: { width: number; bytes: Buffer }[] = [];
  for (const each of PICTURE_WIDTHS)
    files.push({ width: each, bytes: await pixels().resize(fitting(each)).webp({ quality: QUALITY }).toBuffer() });
  const preview = pixels().resize(fitting(PREVIEW_WIDTH)).flatten({ background: '#ffffff' });
  files.push({ width: PREVIEW, bytes: await preview.jpeg({ quality: QUALITY, mozjpeg: true }).toBuffer() });
  const content = files.find((file) => file.width === largest)?.bytes ?? data;
  return { hash: createHash('sha256').update(content).digest('hex'), files };
}

/** Imported lazily: a process that gets no picture needs neither its start time nor its memory. */
async function loadSharp(): Promise<OpenPicture> {
  const { default: sharp } = await import('sharp');
  // An SVG, a PDF or another format that the library could read is not read.
  sharp.block({ operation: ['VipsForeignLoad'] });
  const loaders = ['Jpeg', 'Png', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`);
  sharp.unblock({ operation: loaders });
  sharp.cache(false);
  sharp.concurrency(1);
  return (bytes, options) => sharp(bytes, options);
}
