import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../tables/database.js';
import { missesInName, PAGE_SIZE, termConditions } from '../../tables/search-products.js';

/** The highest number of pieces that the merchant may call few. */
export const LOW_STOCK_LIMIT = 100;

export const LIST_FILTERS = ['hidden', 'sold_out', 'low', 'no_weight'] as const;
export const LIST_SORTS = ['price_asc', 'price_desc', 'stock'] as const;

const LIST_CONDITIONS = {
  hidden: () => sql`visible = 0`,
  sold_out: () => sql`stock = 0`,
  low: (lowStock: number) => sql`stock between 1 and ${lowStock}`,
  no_weight: () => sql`requires_shipping = 1 and weight_g is null`,
};

const LIST_ORDERS = {
  price_asc: [sql`price`],
  price_desc: [sql`price desc`],
  // An unlimited stock is last.
  stock: [sql`stock is null`, sql`stock`],
};

/** A search in the product list. Without `sort`, names precede other texts, in display order. */
export interface ListQuery {
  readonly text: string;
  readonly filter: (typeof LIST_FILTERS)[number] | undefined;
  readonly sort: (typeof LIST_SORTS)[number] | undefined;
}

/**
 * Returns the ids of a page of products, visible or not, and the number on all pages: 0 on a page after the last. Up to
 * `lowStock` pieces are few.
 */
export async function findListed(
  queries: Db,
  { text, filter, sort, lowStock }: ListQuery & { readonly lowStock: number },
  page: number,
): Promise<{ readonly ids: readonly string[]; readonly count: number }> {
  const conditions = [
    sql`1 = 1`,
    ...termConditions(queries, text),
    ...(filter ? [LIST_CONDITIONS[filter](lowStock)] : []),
  ];
  const order = sort ? LIST_ORDERS[sort] : missesInName(queries, text);
  const rows = await queries
    .selectFrom('products')
    .select(['id', sql<number | string>`count(*) over ()`.as('count')])
    .where(sql<SqlBool>`(${sql.join(conditions, sql` and `)})`)
    .orderBy(sql.join([...order, sql`position`]))
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
    .execute();
  return { ids: rows.map(({ id }) => id), count: Number(rows[0]?.count ?? 0) };
}

/** Returns the active reservations of a product with their orders, oldest first. */
export function findReservationsOfProduct(
  queries: Db,
  productId: string,
  { at, limit }: { readonly at: number; readonly limit: number },
) {
  return queries
    .selectFrom('reservations')
    .innerJoin('orders', 'orders.id', 'reservations.orderId')
    .select(['orders.number', 'reservations.quantity', 'reservations.expiresAt'])
    .where('productId', '=', productId)
    .where('expiresAt', '>', at)
    .orderBy('orderId')
    .limit(limit)
    .execute();
}

/** Ends the active reservations of a product, and returns their orders. */
export async function releaseProduct(queries: Db, productId: string, at: number): Promise<readonly string[]> {
  const ended = await queries
    .updateTable('reservations')
    .set({ expiresAt: at })
    .where('productId', '=', productId)
    .where('expiresAt', '>', at)
    .returning('orderId')
    .execute();
  return ended.map(({ orderId }) => orderId);
}
