import type { Cells, ProductRules } from '../../catalog/product-cells.js';
import type { Product } from '../../shop/rules/product.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import type { Database, Db } from '../../tables/database.js';
import { type Author, findGroup, findStoredProduct, lockCatalog, saveProducts } from '../../tables/product-changes.js';
import { lockProducts } from '../../tables/stock.js';
import type { ProductGroup } from '../../web/services.js';
import { changesOf, idsOf, isOutdated, type ProductChange, type RowProblems } from '../products/change-rows.js';
import { findNewPlace } from './create-product.js';
import { problemsOf, readGroup } from './read-group.js';

export interface GroupChange extends Author {
  /** Id of the main product, or of a product without a group. */
  readonly id: string;
  /** The row of the main product has the common cells, too. A product without a row gets the common changes only. */
  readonly rows: readonly ProductChange[];
  /** Own cells of a variant to add, and its `id`, which may be empty. */
  readonly added: Cells | undefined;
}

export type GroupChangeResult =
  | { readonly kind: 'saved'; readonly changed: readonly string[]; readonly created: readonly string[] }
  /** A product of the form or its stock changed after the page was rendered. */
  | { readonly kind: 'changed_meanwhile' }
  | { readonly kind: 'refused'; readonly rows: readonly RowProblems[] };

/**
 * Changes the products of a group, adds a variant, and records it in their histories, in one transaction. Throws
 * `admin_not_found` without the main product.
 */
export function changeGroup(
  db: Database,
  change: GroupChange,
  locale: ProductRules['locale'],
): Promise<GroupChangeResult> {
  const { rows, at, by } = change;
  return db.transaction(async (queries) => {
    const group = await lockGroup(queries, change.id);
    if (rows[0]?.id !== change.id || rows.some((row) => isOutdated(row, group))) return { kind: 'changed_meanwhile' };
    const members = readGroup(group, change, locale);
    const refused = problemsOf(members, { rows, others: await findJoined(queries, rows) }, locale);
    if (refused.length > 0) return { kind: 'refused', rows: refused };
    const changed = changesOf(members);
    const added = members.find(({ before }) => !before)?.reading;
    const place = added?.ok ? await findNewPlace(queries, added.product, locale) : 'existed';
    if (place === 'taken') return { kind: 'refused', rows: [{ id: '', problems: [{ column: 'id', code: 'taken' }] }] };
    const created = place === 'existed' ? [] : [{ ...place, kind: 'created' as const, detail: {} }];
    await saveProducts(queries, [...changed, ...created], { at, by });
    return { kind: 'saved', changed: idsOf(changed), created: idsOf(created) };
  });
}

/** Locks the products of a group in the order of all changes, see src/tables/stock.ts. */
async function lockGroup(queries: Db, id: string): Promise<ProductGroup> {
  await lockCatalog(queries);
  const unlocked = await findGroup(queries, id);
  await lockProducts(queries, idsOf(unlocked));
  const [main, ...variants] = await findGroup(queries, id);
  if (!main) throw new ShopError('admin_not_found');
  return [main, ...variants];
}

/** Returns the products that a row names as its main product. */
async function findJoined(queries: Db, rows: readonly ProductChange[]): Promise<readonly Product[]> {
  const ids = new Set(rows.map(({ cells }) => (cells['variant_of'] ?? '').trim()));
  const found = await Promise.all(Array.from(ids, (id) => findStoredProduct(queries, id)));
  return found.flatMap((stored) => (stored ? [stored.product] : []));
}
