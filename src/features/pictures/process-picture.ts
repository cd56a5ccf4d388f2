import { createHash } from 'node:crypto';
import type { AvifOptions, Metadata, Sharp, SharpOptions } from 'sharp';
import { PICTURE_WIDTHS } from '../../shop/rules/picture.js';

/** The files of one picture. They hold pixels only: no metadata, and nothing else of the uploaded file. */
export interface PictureFiles {
  /** SHA-256 of the largest file, in hexadecimal. */
  readonly hash: string;
  readonly files: readonly PictureFile[];
}

interface PictureFile {
  readonly width: number;
  readonly bytes: Buffer;
  /** The same pixels. `null`: they would need too much memory, or no fewer bytes. */
  readonly avif: Buffer | null;
}

/** Why a file is not accepted. `memory`: its decoding needs too much. */
export type PictureProblem = 'type' | 'pixels' | 'memory' | 'damaged';

/** In megapixels. The largest photos of usual phones. */
export const MAX_MEGAPIXELS = 50;
/** Of a PNG or WebP, of which several rows are decoded at once. In pixels. */
const MAX_WIDTH = 9_000;
/** In bytes, see {@link decodedBytes}. Every accepted picture needs less than 200 MB. */
const MAX_DECODED = 150_000_000;
/** Decoding all pixels at once needs more than the pixels, an interlaced PNG also several rows of each pass. */
const AT_ONCE = 1.25;
const INTERLACED = 2;
/** Higher pictures are made smaller. WebP has at most 16,383 pixels. */
const MAX_HEIGHT = 3_200;
/** The size of a picture at its address without a width: a JPEG, which link previews also show. */
export const PREVIEW = 0;
const PREVIEW_WIDTH = 1_200;
const QUALITY = 80;
/** As good as WebP of {@link QUALITY}, with 26 to 30 % fewer bytes. Effort 4 takes four times as long. */
const AVIF: AvifOptions = { quality: 55, effort: 3, chromaSubsampling: '4:2:0' };
/** Memory of the AVIF encoder per sample. It counts with that of the decoding, which may not be free yet. */
const AVIF_BYTES = 12;
const SECONDS = 20;
const OPTIONS: SharpOptions = { limitInputPixels: MAX_MEGAPIXELS * 1_000_000, failOn: 'error', sequentialRead: true };

type OpenPicture = (bytes: Buffer, options: SharpOptions) => Sharp;

let opening: Promise<OpenPicture> | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Makes the files of a picture. Its type is that of its content: JPEG, PNG or WebP. One picture at a time is processed, so
 * that the memory of one is enough.
 */
export function processPicture(bytes: Buffer): Promise<PictureFiles | PictureProblem> {
  const turn = last.then(() => readAndResize(bytes));
  last = turn.catch(() => undefined);
  return turn;
}

async function readAndResize(bytes: Buffer): Promise<PictureFiles | PictureProblem> {
  opening ??= loadSharp();
  const open = await opening;
  let decoded: number;
  try {
    const metadata = await open(bytes, OPTIONS).metadata();
    const isTooWide = metadata.format !== 'jpeg' && metadata.width > MAX_WIDTH;
    decoded = decodedBytes(metadata);
    if (isTooWide || decoded > MAX_DECODED) return 'memory';
  } catch (error) {
    const { message } = error as Error;
    if (message.includes('pixel limit')) return 'pixels';
    return message.includes('unsupported image format') ? 'type' : 'damaged';
  }
  try {
    return await resize(open, bytes, (MAX_DECODED - decoded) / AVIF_BYTES);
  } catch (error) {
    return (error as Error).message.includes('pixel limit') ? 'pixels' : 'damaged';
  }
}

/**
 * Returns the memory for the pixels. A JPEG in one scan is decoded in parts, at a lower size. Of one in several scans all
 * coefficients are stored, with 2 bytes each. An interlaced PNG and a WebP are decoded at once.
 */
function decodedBytes({ format, width, height, isProgressive, ...metadata }: Metadata): number {
  const pixels = width * height;
  if (format === 'webp') return pixels * 4 * AT_ONCE;
  if (format !== 'jpeg') return pixels * metadata.channels * sampleBytes(metadata) * (isProgressive ? INTERLACED : 1);
  if (!isProgressive) return 0;
  const samples = metadata.chromaSubsampling === '4:2:0' ? 1.5 : metadata.channels;
  return pixels * samples * 2 * AT_ONCE;
}

/** Samples of 16 bits are resized as 32 bits. */
function sampleBytes({ depth }: Pick<Metadata, 'depth'>): number {
  return depth === 'uchar' ? 1 : 4;
}

/** The uploaded file is decoded once. All files are made from its pixels, an AVIF of at most `avifSamples`. */
async function resize(open: OpenPicture, bytes: Buffer, avifSamples: number): Promise<PictureFiles> {
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
  const files: PictureFile[] = [];
  for (const each of PICTURE_WIDTHS) {
    const encoding = pixels().resize(fitting(each)).webp({ quality: QUALITY });
    const webp = await encoding.toBuffer({ resolveWithObject: true });
    const hasAvif = webp.info.width * webp.info.height * channels <= avifSamples;
    const avif = hasAvif ? await pixels().resize(fitting(each)).avif(AVIF).toBuffer() : webp.data;
    files.push({ width: each, bytes: webp.data, avif: avif.length < webp.data.length ? avif : null });
  }
  const preview = pixels().resize(fitting(PREVIEW_WIDTH)).flatten({ background: '#ffffff' });
  const jpeg = await preview.jpeg({ quality: QUALITY, mozjpeg: true }).toBuffer();
  files.push({ width: PREVIEW, bytes: jpeg, avif: null });
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
