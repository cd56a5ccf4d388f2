import type { CellProblem } from '../../catalog/file-problems.js';
import { slugMaker } from '../../catalog/plan-import.js';
import { type Cells, changedCells, columnOf, type ProductRules, productReader } from '../../catalog/product-cells.js';
import { NO_PICTURE } from '../../shop/rules/picture.js';
import { type Product, slugOf } from '../../shop/rules/product.js';
import type { Database, Db } from '../../tables/database.js';
import {
  type Author,
  findStoredProduct,
  lockCatalog,
  type StoredProduct,
  saveProducts,
} from '../../tables/product-changes.js';
import { findLastPosition, findSlugs } from './repository.js';

const ID_LIMIT = 64;

export interface NewProduct extends Author {
  /** With an empty `id`, the product has the id that its name gives. */
  readonly cells: Cells & { readonly id: string };
}

export type CreateProductResult =
  /** `existed`: the same form was posted before. */
  | { readonly kind: 'created' | 'existed'; readonly id: string }
  | { readonly kind: 'refused'; readonly problems: readonly CellProblem[] };

/** Creates a product after the existing ones, with a slug of its own, by the rules of the CSV import. */
export function createProduct(
  db: Database,
  { cells, at, by }: NewProduct,
  locale: ProductRules['locale'],
): Promise<CreateProductResult> {
  const read = productReader({ locale, hasPicture: () => true });
  const reading = read({ ...cells, id: cells.id.trim() || idFrom(cells, locale), image: NO_PICTURE });
  if (!reading.ok) return Promise.resolve({ kind: 'refused', problems: withoutMissingId(reading.problems, cells) });
  const { product } = reading;
  const { id } = product;
  return db.transaction(async (queries) => {
    await lockCatalog(queries);
    const place = await findNewPlace(queries, product, locale);
    if (place === 'taken') return { kind: 'refused', problems: [{ column: 'id', code: 'taken' }] };
    if (place === 'existed') return { kind: 'existed', id };
    await saveProducts(queries, [{ ...place, kind: 'created', detail: {} }], { at, by });
    return { kind: 'created', id };
  });
}

/**
 * Returns a new product with a slug of its own and the place after the existing ones. `existed`: the same form was posted
 * before. `taken`: another product has its id. Call it with the catalog locked.
 */
export async function findNewPlace(
  queries: Db,
  product: Product,
  locale: ProductRules['locale'],
): Promise<Pick<StoredProduct, 'product' | 'position'> | 'existed' | 'taken'> {
  const existing = await findStoredProduct(queries, product.id);
  if (existing) {
    const { slug, image } = existing.product;
    const isSame = Object.keys(changedCells(existing.product, { ...product, slug, image })).length === 0;
    return isSame ? 'existed' : 'taken';
  }
  const makeSlug = slugMaker(await findSlugs(queries), locale);
  return { product: { ...product, slug: makeSlug(product) }, position: (await findLastPosition(queries)) + 1 };
}

/** Without a valid name there is no id yet, so that the error is at the name only. */
function withoutMissingId(problems: readonly CellProblem[], { id }: Cells): readonly CellProblem[] {
  const others = problems.filter(({ column }) => column !== 'id');
  return id || others.length === 0 ? problems : others;
}

/**
 * Returns the id that the name gives: `Taza azul` → `taza-azul`. Always the same for a name, so that a form that is posted
 * twice creates one product.
 */
function idFrom(cells: Cells, locale: ProductRules['locale']): string {
  return slugOf(cells[columnOf('name', locale)] ?? '')
    .slice(0, ID_LIMIT)
    .replace(/-$/, '');
}
