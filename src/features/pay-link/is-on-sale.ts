import type { Db } from '../../tables/database.js';
import type { Order } from '../../tables/orders.js';
import { readStock } from '../../tables/stock.js';

/** Returns whether an order can still be sold, for pages: all its products are visible, and enough is left of each. */
export async function isOnSale(queries: Db, order: Order, at: number): Promise<boolean> {
  const { isCovered, isVisible } = await readStock(queries, order, at);
  return isCovered && isVisible;
}
