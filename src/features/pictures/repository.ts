import { sql } from 'kysely';
import type { Db } from '../../tables/database.js';
import type { Picture } from '../../tables/pictures.js';
import type { PictureFiles } from './process-picture.js';

/** One file of an uploaded picture. */
export interface PictureFile {
  readonly hash: string;
  readonly width: number;
  /** Whether the client shows AVIF. It gets the other file of pictures that have none. */
  readonly acceptsAvif: boolean;
}

/** A part of a file, and the length of the file. */
export interface FilePart {
  readonly length: number;
  readonly bytes: Uint8Array;
  readonly hasAvif: boolean | number;
}

const PART_BYTES = 64 * 1024;

/** Returns the part of a file that begins at `start`, from 0. */
export function findFilePart(queries: Db, file: PictureFile, start: number): Promise<FilePart | undefined> {
  const bytes = file.acceptsAvif ? sql`coalesce(avif, bytes)` : sql`bytes`;
  const part = sql<Uint8Array>`substr(${bytes}, ${sql.lit(start + 1)}, ${sql.lit(PART_BYTES)})`;
  const files = queries.selectFrom('pictures').where('hash', '=', file.hash).where('width', '=', file.width);
  const columns = [sql<number>`length(${bytes})`.as('length'), part.as('bytes')] as const;
  return files.select([...columns, sql<boolean | number>`avif is not null`.as('hasAvif')]).executeTakeFirst();
}

/** Reads the parts of a file, one at a time. Throws if the file is deleted meanwhile. */
export async function* readFileParts(queries: Db, file: PictureFile, first: FilePart): AsyncGenerator<Buffer> {
  let part: FilePart | undefined = first;
  for (let start = 0; start < first.length; start += PART_BYTES) {
    if (start > 0) part = await findFilePart(queries, file, start);
    if (!part) throw new Error('the picture was deleted');
    yield Buffer.from(part.bytes);
  }
}

/**
 * Stores the files of a picture. One that is stored already stays as it is. A new time protects it from being deleted.
 */
export async function storePicture(queries: Db, { hash, files }: PictureFiles, at: number): Promise<void> {
  await queries
    .insertInto('pictures')
    .values(files.map((file) => ({ ...file, hash, storedAt: at })))
    .onConflict((conflict) => conflict.columns(['hash', 'width']).doUpdateSet({ storedAt: at }))
    .execute();
}

/** Replaces the pictures of a product after its first. */
export async function writeFurtherPictures(
  queries: Db,
  productId: string,
  pictures: readonly Picture[],
): Promise<void> {
  await queries.deleteFrom('productPictures').where('productId', '=', productId).execute();
  if (pictures.length === 0) return;
  const rows = pictures.map(({ image, alt }, index) => ({
    productId,
    position: index + 2,
    image,
    texts: JSON.stringify(alt),
  }));
  await queries.insertInto('productPictures').values(rows).execute();
}
