import type { Product } from '../../shop/rules/product.js';
import type { Db } from '../../tables/database.js';

/** Returns orders with an open payment link that contain the product at a lower price: the price rose since. */
export function findUnderpricedOrders(
  queries: Db,
  { id, price }: Pick<Product, 'id' | 'price'>,
  { at, limit }: { readonly at: number; readonly limit: number },
) {
  const orders = queries.selectFrom('orders').select(['orders.id', 'orders.version']).where('payableUntil', '>', at);
  // A value per order: for a join, PostgreSQL may read all order lines.
  const underpriced = orders.where(
    (eb) =>
      eb
        .selectFrom('orderLines')
        .select(({ fn }) => fn.min('unitPrice').as('lowest'))
        .whereRef('orderLines.orderId', '=', 'orders.id')
        .where('productId', '=', id),
    '<',
    price,
  );
  return underpriced.orderBy('payableUntil').limit(limit).execute();
}
