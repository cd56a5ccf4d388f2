import type { Db } from '../../db/database.js';
import type { Order } from '../../db/orders.js';
import { readStock } from '../../db/stock.js';

/** Returns whether an order can still be sold, for pages: all its products are visible, and enough is left of each. */
export async function isOnSale(queries: Db, order: Order, at: number): Promise<boolean> {
  const { isCovered, isVisible } = await readStock(queries, order, at);
  return isCovered && isVisible;
}
