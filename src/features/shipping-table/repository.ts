import type { Db } from '../../tables/database.js';

/** Returns how many visible products are shipped and have no weight. */
export async function countWithoutWeight(queries: Db): Promise<number> {
  const products = queries.selectFrom('products').where('visible', '=', 1).where('requiresShipping', '=', 1);
  const row = await products
    .where('weightG', 'is', null)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
