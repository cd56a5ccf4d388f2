import type { Queries } from '../../db/connection/database.js';
import type { Fulfillment } from '../../db/fulfillments.js';
import type { FulfillmentsTable } from '../../db/schema.js';

/** Returns the fulfillments of these orders by order id. Orders that were never paid are absent. */
export async function findFulfillments(
  queries: Queries,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, Fulfillment>> {
  const rows = await queries.selectFrom('fulfillments').selectAll().where('orderId', 'in', orderIds).execute();
  return new Map(rows.map((row) => [row.orderId, row]));
}

/** Changes a fulfillment with an optimistic lock. Throws on a conflict, so the transaction rolls back. */
export async function updateFulfillment(
  queries: Queries,
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
