import type { Queries } from '../../db/connection/database.js';

/** Returns the slugs of the visible products in display order, at most `limit`. */
export async function findVisibleSlugs(queries: Queries, limit: number): Promise<readonly string[]> {
  const rows = await queries
    .selectFrom('products')
    .select('slug')
    .where('visible', '=', 1)
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(({ slug }) => slug);
}
