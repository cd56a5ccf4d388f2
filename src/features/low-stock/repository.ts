import { sql } from 'kysely';
import type { Db } from '../../tables/database.js';
import { LOW_STOCK_LIMIT } from '../products/repository.js';

export async function hasVisibleProduct(queries: Db): Promise<boolean> {
  const visible = queries.selectFrom('products').select('id').where(sql<boolean>`visible = 1`).limit(1);
  return (await visible.executeTakeFirst()) !== undefined;
}

/** Returns the ids of the first visible products without stock. Same text as in the partial index. */
export function findSoldOut(queries: Db, limit: number) {
  const soldOut = queries.selectFrom('products').select('id').where(sql<boolean>`stock = 0 and visible = 1`);
  return soldOut.orderBy('position').limit(limit).execute();
}

/** Returns the first visible products with 1 to `max` pieces, fewest first. Same text as in the partial index. */
export function findLowStock(queries: Db, { max, limit }: { readonly max: number; readonly limit: number }) {
  const low = sql<boolean>`stock between 1 and ${sql.lit(LOW_STOCK_LIMIT)} and visible = 1`;
  const products = queries.selectFrom('products').select(['id', 'stock']).where(low).where('stock', '<=', max);
  return products.orderBy('stock').orderBy('position').limit(limit).execute();
}

/** Returns the ids of products of which at least half of the stock is set aside, with the pieces. */
export async function findMostlyReserved(
  queries: Db,
  { at, limit }: { readonly at: number; readonly limit: number },
): Promise<readonly { readonly id: string; readonly stock: number; readonly pieces: number }[]> {
  const pieces = sql<number | string>`sum(reservations.quantity)`;
  const rows = await queries
    .selectFrom('reservations')
    .innerJoin('products', 'products.id', 'reservations.productId')
    .select(['products.id', 'products.stock', pieces.as('pieces')])
    .where('expiresAt', '>', at)
    .groupBy(['products.id', 'products.stock', 'products.position'])
    .having(sql<boolean>`${pieces} * 2 >= products.stock`)
    .orderBy('products.position')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ id: row.id, stock: row.stock ?? 0, pieces: Number(row.pieces) }));
}
