/** The orders that wait for a reminder, and the mailboxes that got one. Orders that need none are not in the index. */

import type { Lease } from '@tianguis/payments/database';
import { isPostgres } from '@tianguis/payments/database';
import { sql } from 'kysely';
import type { Db } from '../../db/database.js';

/** Leases the orders whose `reminderFrom` is due, oldest first, and returns their ids. */
export async function leaseOrdersToRemind(queries: Db, lease: Lease): Promise<readonly string[]> {
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
export async function putReminderFrom(queries: Db, orderId: string, reminderFrom: number | null): Promise<void> {
  await queries.updateTable('orders').set({ reminderFrom }).where('id', '=', orderId).execute();
}

/** Returns how many mailboxes got a reminder since this time. */
export async function countReminded(queries: Db, since: number): Promise<number> {
  const reminded = queries.selectFrom('remindedMailboxes').select((eb) => eb.fn.countAll<number>().as('count'));
  return Number((await reminded.where('remindedAt', '>', since).executeTakeFirstOrThrow()).count);
}

/** Records the reminder of a mailbox. Returns false if it got one since `since`. Of parallel transactions one gets true. */
export async function putReminded(
  queries: Db,
  mailbox: string,
  { at, since }: { readonly at: number; readonly since: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await queries
    .insertInto('remindedMailboxes')
    .values({ mailbox, remindedAt: at })
    .onConflict((conflict) =>
      conflict
        .column('mailbox')
        .doUpdateSet({ remindedAt: at })
        .where(sql<boolean>`reminded_mailboxes.reminded_at <= ${since}`),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}
