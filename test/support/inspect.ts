/** Reads the tables of a test shop. */
import { TABLES } from './tables.js';
import type { TestShop } from './test-shop.js';

type Inspected = Pick<TestShop, 'queries'>;

/** Returns all rows of all tables as one text. Two results are equal if nothing was written in between. */
export async function dumpDatabase({ queries }: Inspected): Promise<string> {
  const rows: string[] = [];
  for (const table of TABLES) {
    const found = await queries.selectFrom(table).selectAll().execute();
    rows.push(...found.map((row) => `${table} ${JSON.stringify(row)}`));
  }
  return rows.sort((a, b) => (a < b ? -1 : 1)).join('\n');
}

/** Returns all orders, sorted by creation time and cart version. */
export function allOrders({ queries }: Inspected) {
  return queries.selectFrom('orders').selectAll().orderBy('createdAt').orderBy('cartVersion').orderBy('id').execute();
}

/** Returns the only order. Throws if there is none or more than one. */
export async function theOrder(shop: Inspected) {
  const orders = await allOrders(shop);
  if (!orders[0] || orders.length > 1) throw new Error(`${orders.length} orders instead of one`);
  return orders[0];
}

export function orderOfSession({ queries }: Inspected, session: string) {
  return queries
    .selectFrom('orders')
    .innerJoin('attempts', 'attempts.orderId', 'orders.id')
    .selectAll('orders')
    .where('attempts.gatewayId', '=', session)
    .executeTakeFirstOrThrow();
}

/** Returns all attempts, oldest first. */
export function allAttempts({ queries }: Inspected) {
  return queries.selectFrom('attempts').selectAll().orderBy('createdAt').orderBy('ordinal').orderBy('id').execute();
}

export function allFulfillments({ queries }: Inspected) {
  return queries.selectFrom('fulfillments').selectAll().execute();
}

/** Returns the quantities in the cart by product id. */
export async function cartContents({ queries }: Inspected): Promise<Record<string, number>> {
  const lines = await queries.selectFrom('cartLines').select(['productId', 'quantity']).execute();
  return Object.fromEntries(lines.map((line) => [line.productId, line.quantity]));
}
