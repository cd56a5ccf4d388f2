import type { Db } from '../../db/database.js';
import { isFirstOfGroup } from '../../db/products.js';

/** Returns the slugs of the visible products in display order, at most `limit`. Of a group it returns one. */
export async function findVisibleSlugs(queries: Db, limit: number): Promise<readonly string[]> {
  const rows = await queries
    .selectFrom('products')
    .select('slug')
    .where('visible', '=', 1)
    .where(isFirstOfGroup(queries, { text: '' }))
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(({ slug }) => slug);
}
