import type { Db } from '../../tables/database.js';

/** Returns the ids of the first products that are no variant, in display order. */
export async function findMainIds(queries: Db, limit: number): Promise<readonly string[]> {
  const mains = queries.selectFrom('products').select('id').where('variantOf', 'is', null).orderBy('position');
  return (await mains.limit(limit).execute()).map(({ id }) => id);
}

/** Returns the slugs of all products, visible or not. */
export async function findSlugs(queries: Db): Promise<ReadonlySet<string>> {
  const rows = await queries.selectFrom('products').select('slug').execute();
  return new Set(rows.map(({ slug }) => slug));
}

/** Returns the position of the last product in display order, or 0 without products. */
export async function findLastPosition(queries: Db): Promise<number> {
  const last = queries.selectFrom('products').select(({ fn }) => fn.max('position').as('position'));
  return Number((await last.executeTakeFirstOrThrow()).position ?? 0);
}

/** Returns whether any order contains the product. It reads all order lines. */
export async function isInOrder(queries: Db, productId: string): Promise<boolean> {
  const lines = queries.selectFrom('orderLines').select('orderId').where('productId', '=', productId);
  return (await lines.limit(1).executeTakeFirst()) !== undefined;
}

/** Deletes a product and its history. */
export async function deleteProduct(queries: Db, id: string): Promise<void> {
  await queries.deleteFrom('productEvents').where('productId', '=', id).execute();
  await queries.deleteFrom('products').where('id', '=', id).execute();
}
