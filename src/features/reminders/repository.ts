/** The orders that wait for a reminder, and the mailboxes that got one. Orders that need none are not in the index. */

import type { Lease } from '@tianguis/payments/database';
import { isPostgres } from '@tianguis/payments/database';
import { UNCERTAIN_STATES } from '@tianguis/payments/rules';
import { sql } from 'kysely';
import { findThoseThatBought, otherOrders } from '../../tables/bought-again.js';
import type { Db } from '../../tables/database.js';
import { hasEmail, type Order } from '../../tables/orders.js';

/** The other order was placed at most this long before: an order can be paid for 90 days. */
const PLACED_BEFORE_MS = 91 * 24 * 60 * 60_000;
/** The newest orders of the customer that are read. */
const MAX_ORDERS = 50;

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

/**
 * Returns whether orders with the same e-mail address paid all products of this order, or may have paid them: their payment is in
 * review or has an unknown outcome. Not for pages, because a stranger may type the address of a customer.
 */
export async function mayBeBoughtAgain(queries: Db, order: Order): Promise<boolean> {
  const states = ['paid', ...UNCERTAIN_STATES];
  if (order.email === '') return false;
  const found = await otherOrders(queries, order, states)
    .where(hasEmail(order.email))
    .where('createdAt', '>=', order.createdAt - PLACED_BEFORE_MS)
    .orderBy('createdAt', 'desc')
    .limit(MAX_ORDERS)
    .execute();
  return (await findThoseThatBought(queries, order, found)).length > 0;
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
