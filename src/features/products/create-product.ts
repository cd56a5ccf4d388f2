import { slugMaker } from '../../catalog/import-products.js';
import {
  type CellProblem,
  type Cells,
  changedCells,
  columnOf,
  type ProductRules,
  productReader,
} from '../../catalog/product-cells.js';
import type { Database } from '../../db/database.js';
import { findStoredProduct, lockCatalog, recordProductEvents, writeProducts } from '../../db/product-changes.js';
import { NO_PICTURE } from '../../shop/rules/picture.js';
import { type Product, slugOf } from '../../shop/rules/product.js';
import { checkGroup } from './check-group.js';
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
  if (!reading.ok) return Promise.resolve({ kind: 'refused', problems: withoutMissingId(reading.problems, cells) });
  const { product } = reading;
  const { id } = product;
  return db.transaction(async (queries) => {
    await lockCatalog(queries);
    const existing = await findStoredProduct(queries, id);
    if (existing) {
      const { slug, image } = existing.product;
      const isSame = Object.keys(changedCells(existing.product, { ...product, slug, image })).length === 0;
      return isSame ? { kind: 'existed', id } : { kind: 'refused', problems: [takenId(cells, product, locale)] };
    }
    const checked = await checkGroup(queries, reading, locale);
    if (!checked.ok) return { kind: 'refused', problems: checked.problems };
    const main = await findStoredProduct(queries, product.variantOf ?? '');
    const image = main?.product.image ?? product.image;
    const makeSlug = slugMaker(await findSlugs(queries), locale);
    const position = (await findLastPosition(queries)) + 1;
    await writeProducts(queries, [{ product: { ...product, image, slug: makeSlug(product) }, position }], at);
    await recordProductEvents(queries, [{ productId: id, at, by, kind: 'created', detail: {} }]);
    return { kind: 'created', id };
  });
}

/** A variant without its text has the name of its main product, and so the same id. */
function takenId({ id }: NewProduct['cells'], product: Product, locale: ProductRules['locale']): CellProblem {
  const isUnnamed = product.variantOf !== null && !product.variant && id.trim() === '';
  if (isUnnamed) return { column: columnOf('variant', locale), text: 'is missing' };
  return { column: 'id', text: 'is the id of another product' };
}

/** Without a valid name there is no id yet, so that the error is at the name only. */
function withoutMissingId(problems: readonly CellProblem[], { id }: Cells): readonly CellProblem[] {
  const others = problems.filter(({ column }) => column !== 'id');
  return id || others.length === 0 ? problems : others;
}

/**
 * Returns the id that name and variant give: `Taza`, `azul` → `taza-azul`. Always the same for these texts, so that a form
 * that is posted twice creates one product.
 */
function idFrom(cells: Cells, locale: ProductRules['locale']): string {
  const texts = (['name', 'variant'] as const).map((name) => cells[columnOf(name, locale)] ?? '');
  return slugOf(texts.join(' ')).slice(0, ID_LIMIT).replace(/-$/, '');
}
