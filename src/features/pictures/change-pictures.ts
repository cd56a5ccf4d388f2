import type { CellProblem } from '../../catalog/file-problems.js';
import { type Cells, cellsOf, changedCells, type ProductReading, productReader } from '../../catalog/product-cells.js';
import type { Locale } from '../../shop/rules/locale.js';
import { NO_PICTURE, picturePath } from '../../shop/rules/picture.js';
import type { Product } from '../../shop/rules/product.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import type { Database, Db } from '../../tables/database.js';
import { findFurtherPictures, type Picture } from '../../tables/pictures.js';
import {
  type Author,
  findGroup,
  findStoredProduct,
  lockCatalog,
  type StoredProduct,
  saveProducts,
} from '../../tables/product-changes.js';
import { lockProducts } from '../../tables/stock.js';
import type { PictureFiles } from './process-picture.js';
import { storePicture, writeFurtherPictures } from './repository.js';

/** Pictures of one product. */
export const MAX_PICTURES = 10;

export interface PicturesChange extends Author {
  readonly id: string;
  /** Version that the admin user saw (optimistic lock). */
  readonly version: number;
  /** The place of the picture, from 0. The place after the last adds one. */
  readonly place: number;
  readonly action: 'save' | 'remove' | 'earlier' | 'first';
  /** The typed image texts, by column. Others stay. */
  readonly texts: Cells;
  /** Absent: the picture stays. */
  readonly uploaded: PictureFiles | undefined;
}

export type PicturesResult =
  | { readonly kind: 'saved' | 'changed_meanwhile' }
  | { readonly kind: 'refused'; readonly problems: readonly CellProblem[] };

/** Returns the pictures of a product in their order. The first is `image` of the product. */
export async function findPictures(queries: Db, { product }: StoredProduct): Promise<readonly Picture[]> {
  const further = await findFurtherPictures(queries, product.id);
  return product.image === NO_PICTURE ? further : [{ image: product.image, alt: product.imageAlt }, ...further];
}

/** Changes, adds, moves or removes one picture of a product, and of the variants that have it as theirs. Throws `admin_not_found` without the product. */
export function changePictures(db: Database, change: PicturesChange, locale: Locale): Promise<PicturesResult> {
  const { id, at } = change;
  return db.transaction(async (queries) => {
    await lockCatalog(queries);
    await lockProducts(
      queries,
      (await findGroup(queries, id)).map(({ product }) => product.id),
    );
    const stored = await findStoredProduct(queries, id);
    if (!stored) throw new ShopError('admin_not_found');
    if (stored.version !== change.version) return { kind: 'changed_meanwhile' };
    const before = await findPictures(queries, stored);
    if (change.action !== 'save') {
      await writePictures(queries, stored, rearranged(before, change), change);
      return { kind: 'saved' };
    }
    const reading = readPicture(stored, before, change, locale);
    if (!reading.ok) return { kind: 'refused', problems: reading.problems };
    if (change.uploaded) await storePicture(queries, change.uploaded, at);
    const saved = { image: reading.product.image, alt: reading.product.imageAlt };
    await writePictures(queries, stored, before.toSpliced(change.place, 1, saved), change);
    return { kind: 'saved' };
  });
}

/** Reads the picture with its new file and texts, by the rules of the CSV import. */
function readPicture(
  { product }: StoredProduct,
  before: readonly Picture[],
  { place, uploaded, texts }: PicturesChange,
  locale: Locale,
): ProductReading {
  const picture = before[place];
  const image = uploaded ? picturePath(uploaded.hash) : picture?.image;
  if (image === undefined || place >= MAX_PICTURES) throw new Error('no such picture');
  // The product has the image text of its first picture before it has the picture.
  const imageAlt = picture?.alt ?? (before.length === 0 ? product.imageAlt : {});
  return productReader({ locale, hasPicture: () => true })({ ...cellsOf({ ...product, imageAlt }), ...texts, image });
}

/** Returns the pictures without one, or with one before its neighbor or before all others. */
function rearranged(before: readonly Picture[], { place, action }: PicturesChange): readonly Picture[] {
  const others = before.toSpliced(place, 1);
  const moved = before[place];
  if (action === 'remove' || !moved) return others;
  return others.toSpliced(action === 'first' ? 0 : Math.max(place - 1, 0), 0, moved);
}

async function writePictures(
  queries: Db,
  { product, position }: StoredProduct,
  pictures: readonly Picture[],
  author: Author,
): Promise<void> {
  const [first = { image: NO_PICTURE, alt: product.imageAlt }, ...further] = pictures;
  const after = { ...product, image: first.image, imageAlt: first.alt };
  const before = await findFurtherPictures(queries, product.id);
  await writeFurtherPictures(queries, product.id, further);
  const namesOf = (list: readonly Picture[]) => list.map(({ image }) => image.slice(-8)).join(', ');
  const [old, current] = [namesOf(before), namesOf(further)];
  const detail = { ...changedCells(product, after), ...(old !== current && { pictures: [old, current] as const }) };
  const written = [{ product: after, position, detail }, ...(await findFollowers(queries, product, after))];
  const changed = written.map((each) => ({ ...each, kind: 'changed' as const }));
  await saveProducts(queries, changed, author);
}

/** Returns the variants with the new first picture of their main product, unless they have a picture of their own. */
async function findFollowers(queries: Db, before: Product, { image, imageAlt }: Product) {
  const group = await findGroup(queries, before.id);
  const sharing = group.filter(({ product }) => product.variantOf === before.id && product.image === before.image);
  const followers = sharing.map(({ product, position }) => {
    const after = { ...product, image, imageAlt };
    return { product: after, position, detail: changedCells(product, after) };
  });
  return followers.filter(({ detail }) => Object.keys(detail).length > 0);
}
