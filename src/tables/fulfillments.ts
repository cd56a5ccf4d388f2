import { findAttempts, findRefunds } from '@tianguis/payments/back-office';
import { payingAttemptOf } from '@tianguis/payments/rules';
import type { Selectable } from 'kysely';
import { isFulfillable, isInShop } from '../shop/rules/fulfillment.js';
import type { Db } from './database.js';
import type { Order } from './orders.js';
import type { FulfillmentsTable } from './schema.js';

export type Fulfillment = Readonly<Selectable<FulfillmentsTable>>;

/** Creates the fulfillment of an order. Throws on the primary key when the order has one. */
export async function insertFulfillment(
  queries: Db,
  created: Pick<FulfillmentsTable, 'orderId' | 'attemptId' | 'at' | 'stockTaken'>,
): Promise<void> {
  await queries
    .insertInto('fulfillments')
    .values({
      ...created,
      state: 'preparing',
      carrier: null,
      trackingNumber: null,
      version: 1,
      updatedAt: created.at,
    })
    .execute();
}

/** Returns the fulfillment of an order. `undefined` if the order was never paid. */
export function findFulfillment(queries: Db, orderId: string): Promise<Fulfillment | undefined> {
  return queries.selectFrom('fulfillments').selectAll().where('orderId', '=', orderId).executeTakeFirst();
}

/** Returns whether the order may be fulfilled now, see `isFulfillable`. */
export async function mayFulfill(queries: Db, order: Order): Promise<boolean> {
  const paying = payingAttemptOf(order, await findAttempts(queries, order.id));
  return isFulfillable(order, paying, await findRefunds(queries, order.id));
}

/** Returns the fulfillment that the customer sees. An order in the shop that must not be fulfilled has none. */
export async function findShownFulfillment(queries: Db, order: Order): Promise<Fulfillment | undefined> {
  const fulfillment = order.state === 'paid' ? await findFulfillment(queries, order.id) : undefined;
  if (!fulfillment || !isInShop(fulfillment.state)) return fulfillment;
  return (await mayFulfill(queries, order)) ? fulfillment : undefined;
}

/** Returns whether the products of a paid order were taken from stock. `undefined` without a fulfillment. */
export async function isStockTaken(queries: Db, orderId: string): Promise<boolean | undefined> {
  const fulfillment = await findFulfillment(queries, orderId);
  return fulfillment && fulfillment.stockTaken === 1;
}

/** Records that the products of an order are taken from stock. Throws if they were taken before. */
export async function markStockTaken(queries: Db, orderId: string): Promise<void> {
  if (!(await setStockTaken(queries, orderId, 1))) throw new Error('the stock of this order was taken before');
}

/** Records that the products of an order went back to stock. Returns false if they were not taken. */
export function markStockReturned(queries: Db, orderId: string): Promise<boolean> {
  return setStockTaken(queries, orderId, 0);
}

/** Returns false if the order had this value, or has no fulfillment. */
async function setStockTaken(queries: Db, orderId: string, stockTaken: 0 | 1): Promise<boolean> {
  const change = queries.updateTable('fulfillments').set({ stockTaken }).where('orderId', '=', orderId);
  const { numUpdatedRows } = await change.where('stockTaken', '<>', stockTaken).executeTakeFirst();
  return numUpdatedRows === 1n;
}
