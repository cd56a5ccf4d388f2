import type { Texts } from '../shop/rules/locale.js';
import { picturePath } from '../shop/rules/picture.js';
import type { Db } from './database.js';

/** A picture of a product, with its image text. */
export interface Picture {
  /** A path below `public/`, or the address of an uploaded picture. */
  readonly image: string;
  readonly alt: Texts;
}

/** Returns the pictures of a product after its first, in their order. */
export async function findFurtherPictures(queries: Db, productId: string): Promise<readonly Picture[]> {
  const pictures = queries.selectFrom('productPictures').select(['image', 'texts']);
  const rows = await pictures.where('productId', '=', productId).orderBy('position').execute();
  return rows.map(({ image, texts }) => ({ image, alt: JSON.parse(texts) as Texts }));
}

/** Returns the addresses of all uploaded pictures. */
export async function findPicturePaths(queries: Db): Promise<readonly string[]> {
  const rows = await queries.selectFrom('pictures').select('hash').distinct().execute();
  return rows.map(({ hash }) => picturePath(hash));
}
