import { cellsOf, type ProductRules, productReader } from '../../catalog/product-cells.js';
import type { Database } from '../../db/database.js';
import {
  type Author,
  findStoredProducts,
  lockCatalog,
  type StoredProduct,
  saveProducts,
} from '../../db/product-changes.js';
import { lockProducts } from '../../db/stock.js';
import type { Product } from '../../shop/rules/product.js';
import {
  cellProblems,
  changesOf,
  editedCells,
  isOutdated,
  type ProductChange,
  type RowProblems,
} from './product-change.js';

export type RowsChangeResult =
  /** `raised`: the changed products with a higher price. */
  | { readonly kind: 'saved'; readonly changed: readonly string[]; readonly raised: readonly string[] }
  /** `changed_meanwhile`: these products or their stock changed after the page was rendered, or they are deleted. */
  | { readonly kind: 'refused' | 'changed_meanwhile'; readonly rows: readonly RowProblems[] };

/** The problem of an edited cell whose product changed after the page was rendered. */
export const CHANGED = 'changed_meanwhile';

/** Changes cells of products and records it in their histories, in one transaction. With a problem, nothing changes. */
export function changeRows(
  db: Database,
  rows: readonly ProductChange[],
  author: Author,
  locale: ProductRules['locale'],
): Promise<RowsChangeResult> {
  const ids = rows.map(({ id }) => id);
  return db.transaction(async (queries) => {
    // The order of all changes, see src/db/stock.ts.
    await lockCatalog(queries);
    await lockProducts(queries, ids);
    const products = await findStoredProducts(queries, ids);
    const outdated = rows.filter((row) => isOutdated(row, products));
    if (outdated.length > 0) return { kind: 'changed_meanwhile', rows: outdated.map(changedProblems) };
    const after = readRows(products, rows, locale);
    const found = after.map((product) => cellProblems(product, rows));
    const refused = found.filter(({ problems }) => problems.length > 0);
    if (refused.length > 0) return { kind: 'refused', rows: refused };
    const changed = changesOf(after);
    await saveProducts(queries, changed, author);
    const raised = changed.filter(({ product }) =>
      products.some(({ product: { id, price } }) => id === product.id && price < product.price),
    );
    return { kind: 'saved', changed: idsOf(changed), raised: idsOf(raised) };
  });
}

function changedProblems({ id, cells }: ProductChange): RowProblems {
  return { id, problems: Object.keys(cells).map((column) => ({ column, code: CHANGED })) };
}

function readRows(products: readonly StoredProduct[], rows: readonly ProductChange[], locale: ProductRules['locale']) {
  // The picture is not part of the change, so a missing file does not prevent it.
  const read = productReader({ locale, hasPicture: () => true });
  return products.map((before) => {
    const row = rows.find(({ id }) => id === before.product.id);
    return { before, reading: read({ ...cellsOf(before.product), ...(row && editedCells(row)) }) };
  });
}

export function idsOf(products: readonly { readonly product: Product }[]): readonly string[] {
  return products.map(({ product }) => product.id);
}
