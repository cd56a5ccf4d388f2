import type { Db } from '../tables/database.js';
import { findLinesOfOrders, type Order } from '../tables/orders.js';
import { findProductNames } from '../tables/products.js';
import type { OrderLine } from './rules/cart.js';
import { type Locale, textIn } from './rules/locale.js';

/**
 * Returns the lines of these orders by order id, with the product names of `locale`. A line has its frozen name if the
 * customer used this locale, or the product does not exist any more. Two statements for any number of orders.
 */
export async function findTranslatedLines(
  queries: Db,
  orders: readonly Pick<Order, 'id' | 'locale'>[],
  locale: Locale,
): Promise<ReadonlyMap<string, readonly OrderLine[]>> {
  const lines = await findLinesOfOrders(
    queries,
    orders.map(({ id }) => id),
  );
  const others = orders.filter((order) => order.locale !== locale);
  const products = others.flatMap(({ id }) => lines.get(id) ?? []).map(({ productId }) => productId);
  const names = await findProductNames(queries, products);
  const translate = (line: OrderLine): OrderLine => {
    const name = names.get(line.productId);
    return name ? { ...line, name: textIn(name, locale) } : line;
  };
  const translated = others.map(({ id }) => [id, (lines.get(id) ?? []).map(translate)] as const);
  return new Map([...lines, ...translated]);
}
