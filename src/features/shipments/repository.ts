import type { Db } from '../../tables/database.js';
import type { Fulfillment } from '../../tables/fulfillments.js';
import type { Order } from '../../tables/orders.js';
import type { FulfillmentsTable } from '../../tables/schema.js';
import { FULFILLABLE, TO_SHIP } from '../../tables/search-orders.js';

/** Returns the fulfillments of these orders by order id. Orders that were never paid are absent. */
export async function findFulfillments(
  queries: Db,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, Fulfillment>> {
  const rows = await queries.selectFrom('fulfillments').selectAll().where('orderId', 'in', orderIds).execute();
  return new Map(rows.map((row) => [row.orderId, row]));
}

/** Returns the ids of those paid orders that may be fulfilled now, see `isFulfillable`. */
export async function findFulfillable(queries: Db, orderIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await fulfillments(queries).where(FULFILLABLE).where('fulfillments.orderId', 'in', orderIds).execute();
  return new Set(rows.map(({ orderId }) => orderId));
}

/** Returns the orders that may be shipped or handed over now, oldest first. With numbers only those of them. */
export function findOrdersToShip(
  queries: Db,
  { numbers, limit }: { readonly numbers: readonly string[]; readonly limit: number },
): Promise<readonly Order[]> {
  const orders = toShip(queries).clearSelect().selectAll('orders').limit(limit);
  return (numbers.length === 0 ? orders : orders.where('orders.number', 'in', numbers))
    .orderBy('fulfillments.at')
    .execute();
}

/** Counts the orders that may be shipped or handed over now, up to `limit`. */
export async function countToShip(queries: Db, limit: number): Promise<number> {
  const orders = toShip(queries).orderBy('fulfillments.at').limit(limit);
  const { count } = await queries
    .selectFrom(orders.as('piece'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

function toShip(queries: Db) {
  return fulfillments(queries).where(TO_SHIP);
}

function fulfillments(queries: Db) {
  const joined = queries.selectFrom('fulfillments').innerJoin('orders', 'orders.id', 'fulfillments.orderId');
  return joined.select('fulfillments.orderId');
}

/** Changes a fulfillment with an optimistic lock. Throws on a conflict, so the transaction rolls back. */
export async function updateFulfillment(
  queries: Db,
  { orderId, version }: Fulfillment,
  change: Pick<FulfillmentsTable, 'state' | 'carrier' | 'trackingNumber' | 'updatedAt'>,
): Promise<void> {
  const { numUpdatedRows } = await queries
    .updateTable('fulfillments')
    .set({ ...change, version: version + 1 })
    .where('orderId', '=', orderId)
    .where('version', '=', version)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error('the fulfillment changed while it was being changed');
}

export async function deleteWaitingJob(queries: Db, key: string): Promise<void> {
  await queries.deleteFrom('outbox').where('key', '=', key).where('doneAt', 'is', null).execute();
}
