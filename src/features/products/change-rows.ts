/** The change of products by the rows of a form. */
import type { CellProblem } from '../../catalog/file-problems.js';
import {
  type Cells,
  cellsOf,
  changedCells,
  type ProductReading,
  type ProductRules,
  productReader,
} from '../../catalog/product-cells.js';
import type { Product } from '../../shop/rules/product.js';
import type { Database } from '../../tables/database.js';
import {
  type Author,
  findStoredProducts,
  lockCatalog,
  type StoredProduct,
  saveProducts,
} from '../../tables/product-changes.js';
import { lockProducts } from '../../tables/stock.js';

export interface ProductChange {
  readonly id: string;
  /** Version that the admin user saw (optimistic lock). */
  readonly version: number;
  /** Stock that the admin user saw. A sale changes the stock without a new version. */
  readonly seenStock: string;
  /** The stock that the admin user confirmed. Needed for an unusual one. */
  readonly confirmedStock: string;
  /** The new cells. Other cells stay. */
  readonly cells: Cells;
}

/** What is wrong with one product of the form. */
export interface RowProblems {
  /** Empty: the variant to add. */
  readonly id: string;
  readonly problems: readonly CellProblem[];
  /** Present: the typed stock is unusual beside this one, and the admin user must confirm it. */
  readonly stockBefore?: number | null;
}

/** A product as it is after the change. */
export interface ProductAfter {
  /** Absent: the variant to add. */
  readonly before?: StoredProduct;
  readonly reading: ProductReading;
}

const UNUSUAL_FACTOR = 10;

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
    // The order of all changes, see src/tables/stock.ts.
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

/** Returns the text that confirms a typed stock. An empty cell means unlimited. */
export function confirmationOf(stock = ''): string {
  return stock.trim() || 'unlimited';
}

/** Returns the cells without a stock that was not edited, so that it stays as a sale left it. */
export function editedCells({ cells, seenStock }: Pick<ProductChange, 'cells' | 'seenStock'>): Cells {
  const { stock, ...others } = cells;
  return stock === seenStock ? others : cells;
}

/** Returns whether the product, or a stock that was edited, changed after the page was rendered. */
export function isOutdated(
  { id, version, seenStock, cells }: ProductChange,
  products: readonly StoredProduct[],
): boolean {
  const stored = products.find(({ product }) => product.id === id);
  if (stored?.version !== version) return true;
  const { stock = seenStock } = cells;
  return stock !== seenStock && cellsOf(stored.product)['stock'] !== seenStock;
}

/** Returns what is wrong with the cells of a product, without the rules of its group. */
export function cellProblems({ before, reading }: ProductAfter, rows: readonly ProductChange[]): RowProblems {
  const id = before?.product.id ?? '';
  if (!reading.ok) return { id, problems: reading.problems };
  const row = rows.find((each) => each.id === id);
  const isConfirmed = row?.confirmedStock === confirmationOf(row?.cells['stock']);
  if (before && !isConfirmed && isUnusual(before.product.stock, reading.product.stock))
    return { id, problems: [{ column: 'stock', code: 'unusual' }], stockBefore: before.product.stock };
  return { id, problems: [] };
}

/** Returns whether a limited stock grows to more than ten times its value. A stock of 0 counts as 1. */
function isUnusual(before: number | null, after: number | null): boolean {
  return before !== null && (after ?? Number.POSITIVE_INFINITY) > UNUSUAL_FACTOR * Math.max(before, 1);
}

/** Returns the products that differ from the stored ones, with their changed cells. */
export function changesOf(products: readonly ProductAfter[]) {
  return products.flatMap(({ before, reading }) => {
    if (!reading.ok || !before) return [];
    const { product } = reading;
    const detail = changedCells(before.product, product);
    if (Object.keys(detail).length === 0) return [];
    return [{ product, position: before.position, kind: 'changed' as const, detail }];
  });
}
