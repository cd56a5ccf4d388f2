import type { Db } from '../../db/database.js';

/** Returns the slugs of the visible products, at most `limit`. Of a group it returns one, which is the main one if visible. */
export async function findVisibleSlugs(queries: Db, limit: number): Promise<readonly string[]> {
  const rows = await queries
    .selectFrom('products')
    .select(['id', 'slug', 'variantOf'])
    .where('visible', '=', 1)
    .orderBy((eb) => eb('variantOf', 'is not', null))
    .orderBy('position')
    .execute();
  const groups = new Map<string, string>();
  for (const { id, slug, variantOf } of rows) if (!groups.has(variantOf ?? id)) groups.set(variantOf ?? id, slug);
  return [...groups.values()].slice(0, limit);
}
