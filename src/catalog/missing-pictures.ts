import type { Queries } from '../db/database.js';
import { findPictures } from '../db/products.js';

/** Returns the ids of visible products whose picture does not exist. */
export async function findMissingPictures(
  queries: Queries,
  hasPicture: (path: string) => boolean,
): Promise<readonly string[]> {
  const pictures = await findPictures(queries);
  return pictures.filter(({ image }) => !hasPicture(image)).map(({ id }) => id);
}
