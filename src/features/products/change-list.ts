import { cellsOf, type ProductRules, productReader } from '../../catalog/product-cells.js';
import type { Database, Db } from '../../db/database.js';
import { lockCatalog, type StoredProduct } from '../../db/product-changes.js';
import { lockProducts } from '../../db/stock.js';
import { changesOf, idsOf, saveProducts } from './change-group.js';
import { cellProblems, editedCells, isOutdated, type ProductChange, type RowProblems } from './read-group.js';
import { findStoredProducts } from './repository.js';

export interface ListChange {
  /** The edited rows of the list. */
  readonly rows: readonly ProductChange[];
  readonly at: number;
  /** Author in the history. */
  readonly by: string;
}

export type ListChangeResult =
  /** `raised`: the changed products with a higher price. */
  | { readonly kind: 'saved'; readonly changed: readonly string[]; readonly raised: readonly string[] }
  /** `changed_meanwhile`: these products or their stock changed after the page was rendered, or they are deleted. */
  | { readonly kind: 'refused' | 'changed_meanwhile'; readonly rows: readonly RowProblems[] };

/** The problem of an edited cell whose product changed after the page was rendered. */
export const CHANGED = 'changed_meanwhile';

/** Changes cells of products and records it in their histories, in one transaction. With a problem, nothing changes. */
export function changeList(
  db: Database,
  { rows, at, by }: ListChange,
  locale: ProductRules['locale'],
): Promise<ListChangeResult> {
  return db.transaction(async (queries) => {
    const products = await lockListed(
      queries,
      rows.map(({ id }) => id),
    );
    const outdated = rows.filter((row) => isOutdated(row, products));
    if (outdated.length > 0) return { kind: 'changed_meanwhile', rows: outdated.map(changedProblems) };
    const members = readListed(products, rows, locale);
    const found = members.map((member) => cellProblems(member, rows));
    const refused = found.filter(({ problems }) => problems.length > 0);
    if (refused.length > 0) return { kind: 'refused', rows: refused };
    const changed = changesOf(members);
    await saveProducts(queries, changed, { at, by });
    const raised = changed.filter(({ product }) =>
      products.some(({ product: { id, price } }) => id === product.id && price < product.price),
    );
    return { kind: 'saved', changed: idsOf(changed), raised: idsOf(raised) };
  });
}

/** Locks the products in the order of all changes, see src/db/stock.ts. */
async function lockListed(queries: Db, ids: readonly string[]): Promise<readonly StoredProduct[]> {
  await lockCatalog(queries);
  await lockProducts(queries, ids);
  return findStoredProducts(queries, ids);
}

function changedProblems({ id, cells }: ProductChange): RowProblems {
  return { id, problems: Object.keys(cells).map((column) => ({ column, code: CHANGED })) };
}

function readListed(
  products: readonly StoredProduct[],
  rows: readonly ProductChange[],
  locale: ProductRules['locale'],
) {
  // The picture is not part of the change, so a missing file does not prevent it.
  const read = productReader({ locale, hasPicture: () => true });
  return products.map((before) => {
    const row = rows.find(({ id }) => id === before.product.id);
    return { before, reading: read({ ...cellsOf(before.product), ...(row && editedCells(row)) }) };
  });
}
