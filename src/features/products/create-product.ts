import { slugMaker } from '../../catalog/import-products.js';
import {
  type CellProblem,
  type Cells,
  changedCells,
  type ProductRules,
  productReader,
  TEXT_COLUMNS,
} from '../../catalog/product-cells.js';
import type { Database } from '../../db/connection/database.js';
import { findStoredProduct, lockCatalog, recordProductEvents, writeProducts } from '../../db/product-changes.js';
import { NO_PICTURE } from '../../domain/picture.js';
import { slugOf } from '../../domain/product.js';
import { findLastPosition, findSlugs } from './repository.js';

const ID_LIMIT = 64;

export interface NewProduct {
  /** With an empty `id`, the product has the id that its name gives. */
  readonly cells: Cells & { readonly id: string };
  readonly at: number;
  /** Author in the history. */
  readonly by: string;
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
  if (!reading.ok) return Promise.resolve({ kind: 'refused', problems: reading.problems });
  const { product } = reading;
  const { id } = product;
  return db.transaction(async (queries) => {
    await lockCatalog(queries);
    const existing = await findStoredProduct(queries, id);
    if (existing) {
      const { slug, image } = existing.product;
      const isSame = Object.keys(changedCells(existing.product, { ...product, slug, image })).length === 0;
      return isSame
        ? { kind: 'existed', id }
        : { kind: 'refused', problems: [{ column: 'id', text: 'is the id of another product' }] };
    }
    const makeSlug = slugMaker(await findSlugs(queries), locale);
    const position = (await findLastPosition(queries)) + 1;
    await writeProducts(queries, [{ product: { ...product, slug: makeSlug(product) }, position }], at);
    await recordProductEvents(queries, [{ productId: id, at, by, kind: 'created', detail: {} }]);
    return { kind: 'created', id };
  });
}

/** `Taza azul` → `taza-azul`. Always the same for a name, so that a form that is posted twice creates one product. */
function idFrom(cells: Cells, locale: ProductRules['locale']): string {
  const column = TEXT_COLUMNS.find((each) => each.name === 'name' && each.locale === locale)?.column ?? '';
  return slugOf(cells[column] ?? '')
    .slice(0, ID_LIMIT)
    .replace(/-$/, '');
}
