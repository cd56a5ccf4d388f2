/** What a test sees of the shop from behind: its tables, and moments that have to come. */
import { TABLES } from '../../src/store/schema.js';
import type { TestShop } from './test-shop.js';

type Inspected = Pick<TestShop, 'services'>;

/** Every row of every table as one text, equal as long as nothing was written. */
export async function dumpDatabase(shop: Inspected): Promise<string> {
  const { queries } = shop.services.checkout.db;
  const rows: string[] = [];
  for (const table of TABLES) {
    const found = await queries.selectFrom(table).selectAll().execute();
    rows.push(...found.map((row) => `${table} ${JSON.stringify(row)}`).sort());
  }
  return rows.join('\n');
}

/** All orders, oldest cart version first. */
export function allOrders(shop: Inspected) {
  const { queries } = shop.services.checkout.db;
  return queries.selectFrom('orders').selectAll().orderBy('createdAt').orderBy('cartVersion').execute();
}

/** The only order there is. */
export async function theOrder(shop: Inspected) {
  const [order, ...others] = await allOrders(shop);
  if (!order || others.length > 0)
    throw new Error(`${others.length + (order ? 1 : 0)} orders instead of one`);
  return order;
}

/** The order that this session of the service was opened for. */
export function orderOfSession(shop: Inspected, session: string) {
  return shop.services.checkout.db.queries
    .selectFrom('orders')
    .innerJoin('attempts', 'attempts.orderId', 'orders.id')
    .selectAll('orders')
    .where('attempts.serviceId', '=', session)
    .executeTakeFirstOrThrow();
}

/** All attempts, oldest first. */
export function allAttempts(shop: Inspected) {
  const { queries } = shop.services.checkout.db;
  return queries.selectFrom('attempts').selectAll().orderBy('createdAt').orderBy('ordinal').execute();
}

export function allFulfilments(shop: Inspected) {
  return shop.services.checkout.db.queries.selectFrom('fulfilments').selectAll().execute();
}

/** What a cart holds, by product. */
export async function cartContents(shop: Inspected): Promise<Record<string, number>> {
  const { queries } = shop.services.checkout.db;
  const lines = await queries.selectFrom('cartLines').select(['productId', 'quantity']).execute();
  return Object.fromEntries(lines.map((line) => [line.productId, line.quantity]));
}

const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 10;

/** Waits until a condition holds; fails when it never does. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (performance.now() > endsAt) throw new Error('the awaited moment never came');
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
