import type { Queries } from '../../db/connection/database.js';
import type { Picture } from '../../db/pictures.js';
import type { PictureFiles } from './process-picture.js';

/** Returns a file of an uploaded picture, or `undefined`. */
export async function findPictureFile(queries: Queries, hash: string, width: number): Promise<Buffer | undefined> {
  const files = queries.selectFrom('pictures').select('bytes').where('hash', '=', hash).where('width', '=', width);
  const file = await files.executeTakeFirst();
  return file && Buffer.from(file.bytes);
}

/** Stores the files of a picture. A new time protects one that is stored already and about to be deleted. */
export async function storePicture(queries: Queries, { hash, files }: PictureFiles, at: number): Promise<void> {
  await queries
    .insertInto('pictures')
    .values(files.map((file) => ({ ...file, hash, storedAt: at })))
    .onConflict((conflict) => conflict.columns(['hash', 'width']).doUpdateSet({ storedAt: at }))
    .execute();
}

/** Replaces the pictures of a product after its first. */
export async function writeFurtherPictures(
  queries: Queries,
  productId: string,
  pictures: readonly Picture[],
): Promise<void> {
  await queries.deleteFrom('productPictures').where('productId', '=', productId).execute();
  if (pictures.length === 0) return;
  const rows = pictures.map(({ image, alt }, index) => ({
    ...{ productId, position: index + 2, image },
    texts: JSON.stringify(alt),
  }));
  await queries.insertInto('productPictures').values(rows).execute();
}
