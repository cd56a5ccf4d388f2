import {
  type CellProblem,
  type Cells,
  cellsOf,
  changedCells,
  type ProductRules,
  productReader,
} from '../../catalog/product-cells.js';
import type { Database } from '../../db/database.js';
import { findStoredProduct, lockCatalog, recordProductEvents, writeProducts } from '../../db/product-changes.js';
import { lockProducts } from '../../db/stock.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { checkGroup } from './check-group.js';

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
  readonly at: number;
  /** Author in the history. */
  readonly by: string;
}

export type ProductChangeResult =
  | { readonly kind: 'saved' | 'unchanged' }
  /** The product or its stock changed after the page was rendered. */
  | { readonly kind: 'changed_meanwhile' }
  /** The stock is unusual, see {@link confirmationOf}. */
  | { readonly kind: 'unconfirmed' }
  | { readonly kind: 'refused'; readonly problems: readonly CellProblem[] };

const UNUSUAL_FACTOR = 10;

/** Returns the text that confirms a typed stock. An empty cell means unlimited. */
export function confirmationOf(stock = ''): string {
  return stock.trim() || 'unlimited';
}

/** Returns whether a limited stock grows to more than ten times its value. A stock of 0 counts as 1. */
function isUnusual(before: number | null, after: number | null): boolean {
  return before !== null && (after ?? Number.POSITIVE_INFINITY) > UNUSUAL_FACTOR * Math.max(before, 1);
}

/** Changes one product and records the change in its history. Throws `admin_not_found` without the product. */
export function changeProduct(
  db: Database,
  { id, version, seenStock, confirmedStock, cells, at, by }: ProductChange,
  locale: ProductRules['locale'],
): Promise<ProductChangeResult> {
  return db.transaction(async (queries) => {
    await lockCatalog(queries);
    await lockProducts(queries, [id]);
    const before = await findStoredProduct(queries, id);
    if (!before) throw new ShopError('admin_not_found');
    const stored = cellsOf(before.product);
    const { stock, ...others } = cells;
    const restocks = stock !== seenStock;
    if (before.version !== version || (restocks && stored['stock'] !== seenStock)) return { kind: 'changed_meanwhile' };
    // The picture is not part of the change, so a missing file does not prevent it.
    const read = productReader({ locale, hasPicture: () => true });
    const reading = await checkGroup(queries, read({ ...stored, ...others, ...(restocks ? cells : {}) }), locale);
    if (!reading.ok) return { kind: 'refused', problems: reading.problems };
    const isConfirmed = confirmedStock === confirmationOf(stock);
    if (!isConfirmed && isUnusual(before.product.stock, reading.product.stock)) return { kind: 'unconfirmed' };
    const detail = changedCells(before.product, reading.product);
    if (Object.keys(detail).length === 0) return { kind: 'unchanged' };
    await writeProducts(queries, [{ product: reading.product, position: before.position }], at);
    await recordProductEvents(queries, [{ productId: id, at, by, kind: 'changed', detail }]);
    return { kind: 'saved' };
  });
}
