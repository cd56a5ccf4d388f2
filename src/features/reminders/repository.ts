/** The orders that wait for a reminder. Those that got one, need none or cannot be paid are not in the index. */
import type { Lease, Queries } from '../../db/connection/database.js';
import { isPostgres } from '../../db/connection/dialects.js';

/** Leases the orders whose `reminderFrom` is due, oldest first, and returns their ids. */
export async function leaseOrdersToRemind(queries: Queries, lease: Lease): Promise<readonly string[]> {
  const leased = await queries
    .updateTable('orders')
    .set({ reminderFrom: lease.leaseUntil })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('orders')
        .select('id')
        .where('payableUntil', 'is not', null)
        .where('reminderFrom', '<=', lease.at)
        .orderBy('reminderFrom')
        .limit(lease.limit)
        .$if(isPostgres(queries), (query) => query.forUpdate().skipLocked()),
    )
    .returning('id')
    .execute();
  return leased.map(({ id }) => id);
}

/** Null: no reminder is due any more. */
export async function putReminderFrom(queries: Queries, orderId: string, reminderFrom: number | null): Promise<void> {
  await queries.updateTable('orders').set({ reminderFrom }).where('id', '=', orderId).execute();
}
