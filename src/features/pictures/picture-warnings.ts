/** Warnings about pictures below `public/`. They are not processed, so customers download them as they are. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pictureHashOf } from '../../shop/rules/picture.js';

const MAX_KILOBYTES = 150;
/** The catalog crops pictures to a square. */
const MAX_RATIO = 2;

/** Returns a warning for each file that is large, or far from a square. A file that cannot be read has none. */
export async function pictureWarnings(images: readonly string[], publicDirectory: string): Promise<readonly string[]> {
  const warnings: string[] = [];
  for (const image of new Set(images)) {
    if (pictureHashOf(image) !== undefined) continue;
    const bytes = await readFile(join(publicDirectory, image)).catch(() => Buffer.alloc(0));
    const kilobytes = Math.round(bytes.length / 1024);
    if (kilobytes > MAX_KILOBYTES) warnings.push(`${image} has ${kilobytes} KB; best are at most ${MAX_KILOBYTES} KB`);
    const { width, height } = await sizeOf(image, bytes);
    if (Math.max(width / height, height / width) > MAX_RATIO)
      warnings.push(`${image} has ${width} × ${height} pixels; the catalog crops it to a square`);
  }
  return warnings;
}

async function sizeOf(image: string, bytes: Buffer): Promise<{ readonly width: number; readonly height: number }> {
  const unknown = { width: 1, height: 1 };
  if (image.endsWith('.svg') || bytes.length === 0) return unknown;
  // Imported lazily: other commands need no picture library.
  const { default: sharp } = await import('sharp');
  return (
    (
      await sharp(bytes)
        .metadata()
        .catch(() => undefined)
    )?.autoOrient ?? unknown
  );
}
