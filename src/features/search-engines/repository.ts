import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../tables/database.js';

const BATCH_SIZE = 1_000;

/**
 * Returns the slugs of the visible products. Of a group it returns the first, which is the main one if visible, as its pages name
 * it. Other requests run between two batches.
 */
export async function findVisibleSlugs(queries: Db): Promise<readonly string[]> {
  const first = new Map<string, { readonly slug: string; readonly place: number }>();
  let lastId = '';
  for (;;) {
    const rows = await queries
      .selectFrom('products')
      .select(['id', 'slug', 'variantOf', 'position', 'visible'])
      .where('id', '>', lastId)
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute();
    for (const { id, slug, variantOf, position } of rows.filter(({ visible }) => visible === 1)) {
      const group = variantOf ?? id;
      const place = variantOf === null ? -1 : position;
      if (place < (first.get(group)?.place ?? Number.POSITIVE_INFINITY)) first.set(group, { slug, place });
    }
    lastId = rows.at(-1)?.id ?? lastId;
    if (rows.length < BATCH_SIZE) return Array.from(first.values(), ({ slug }) => slug);
    // SQLite is synchronous.
    await setImmediate();
  }
}
