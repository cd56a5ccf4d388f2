import type { Db } from '../../db/database.js';
import type { StoredTexts } from '../../db/products.js';
import { atLeastZero, leftColumn } from '../../db/stock.js';

/** Returns id, name, price and pieces left of the first visible products, in display order. */
export async function findChoices(queries: Db, { at, limit }: { readonly at: number; readonly limit: number }) {
  const rows = await queries
    .selectFrom('products')
    .select(['id', 'texts', 'price', leftColumn(at).as('left')])
    .where('visible', '=', 1)
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(({ texts, left, ...row }) => ({
    ...row,
    name: (JSON.parse(texts) as StoredTexts).name,
    left: atLeastZero(left),
  }));
}
