/** Another process that holds rows, as a frozen one does. */
import { TRANSACTION_LIMITS } from '@tianguis/payments/testing';
import { lockOrder } from '../../src/tables/orders.js';
import { allOrders } from '../support/inspect.js';
import type { TestShop } from '../support/test-shop.js';

/** Longer than a test, also on a busy machine. */
const LIMITS = { ...TRANSACTION_LIMITS, totalMs: 60_000, idleMs: 60_000 };

/** Locks all orders as another process during `work`. With SQLite it holds the write lock. */
export async function whileOrdersHeld<T>(shop: TestShop, work: () => Promise<T>): Promise<T> {
  await using other = await shop.connect();
  const orders = await allOrders(shop);
  return await other.transaction(async (queries) => {
    for (const { id } of orders) await lockOrder(queries, id);
    return work();
  }, LIMITS);
}
