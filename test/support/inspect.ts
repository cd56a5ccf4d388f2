/** Reads the tables of a test shop and waits for conditions. */

import { until as untilTimeout } from './crowd.js';
import { TABLES } from './tables.js';
import type { TestShop } from './test-shop.js';

type Inspected = Pick<TestShop, 'context'>;

/** Returns all rows of all tables as one text. Two results are equal if nothing was written in between. */
export async function dumpDatabase(shop: Inspected): Promise<string> {
  const { queries } = shop.context.checkout.db;
  const rows: string[] = [];
  for (const table of TABLES) {
    const found = await queries.selectFrom(table).selectAll().execute();
    rows.push(...found.map((row) => `${table} ${JSON.stringify(row)}`).sort());
  }
  return rows.join('\n');
}

/** Returns all orders, sorted by creation time and cart version. */
export function allOrders(shop: Inspected) {
  const { queries } = shop.context.checkout.db;
  return queries.selectFrom('orders').selectAll().orderBy('createdAt').orderBy('cartVersion').execute();
}

/** Returns the only order. Throws if there is none or more than one. */
export async function theOrder(shop: Inspected) {
  const [order, ...others] = await allOrders(shop);
  if (!order || others.length > 0)
    throw new Error(`${others.length + (order ? 1 : 0)} orders instead of one`);
  return order;
}

/** Returns the order of a checkout session. */
export function orderOfSession(shop: Inspected, session: string) {
  return shop.context.checkout.db.queries
    .selectFrom('orders')
    .innerJoin('attempts', 'attempts.orderId', 'orders.id')
    .selectAll('orders')
    .where('attempts.gatewayId', '=', session)
    .executeTakeFirstOrThrow();
}

/** Returns all attempts, oldest first. */
export function allAttempts(shop: Inspected) {
  const { queries } = shop.context.checkout.db;
  return queries.selectFrom('attempts').selectAll().orderBy('createdAt').orderBy('ordinal').execute();
}

/** Returns all fulfillments. */
export function allFulfillments(shop: Inspected) {
  return shop.context.checkout.db.queries.selectFrom('fulfillments').selectAll().execute();
}

/** Returns the quantities in the cart by product id. */
export async function cartContents(shop: Inspected): Promise<Record<string, number>> {
  const { queries } = shop.context.checkout.db;
  const lines = await queries.selectFrom('cartLines').select(['productId', 'quantity']).execute();
  return Object.fromEntries(lines.map((line) => [line.productId, line.quantity]));
}

/** Polls a condition. Throws if it is not met in time. */
export async function until(condition: () => boolean | Promise<boolean>, withinMs = 30_000): Promise<void> {
  if (!(await untilTimeout(condition, { withinMs, everyMs: 10 })))
    throw new Error(`the condition was not met within ${withinMs} ms`);
}
