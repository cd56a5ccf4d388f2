/** Names, e-mail addresses and phones that admin users replaced. They are personal data: the history holds only their ids. */
import { mailboxKey } from '../../tables/client-limits.js';
import type { Db } from '../../tables/database.js';
import { lockOrder, type Order } from '../../tables/orders.js';
import type { Person } from './rules.js';

export interface FormerContact {
  readonly id: number;
  readonly replacedAt: number;
  /** Name of the admin user who replaced it. */
  readonly by: string;
  readonly contact: Person;
}

export interface Replacing {
  readonly at: number;
  /** Name of the admin user. */
  readonly by: string;
  /** The order gets a new link. */
  readonly hasNewLink: boolean;
}

/**
 * Locks the order and those that replaced it or that it replaced, by ascending id, and returns them. The caller must have locked
 * their cart.
 */
export async function lockLinkedOrders(queries: Db, id: string): Promise<readonly Order[]> {
  const orders = queries.selectFrom('orders');
  const newest = orders.select((eb) => eb.fn.coalesce('supersededBy', 'id').as('id')).where('id', '=', id);
  const linked = await orders
    .select('id')
    .where('id', 'in', newest)
    .union(orders.select('id').where('supersededBy', 'in', newest))
    .orderBy('id')
    .execute();
  const locked: Order[] = [];
  for (const each of linked) locked.push(await lockOrder(queries, each.id));
  return locked;
}

/** Stores the contact that a locked order has now, and its link if a new one follows. Returns the id of the row. */
export async function storeFormerContact(
  queries: Db,
  order: Order,
  { at: replacedAt, by, hasNewLink }: Replacing,
): Promise<number> {
  const { id: orderId, firstName, lastName, email, phone } = order;
  const contact = JSON.stringify({ firstName, lastName, email, phone });
  const row = { orderId, replacedAt, by, contact, token: hasNewLink ? order.token : null };
  const { id } = await queries.insertInto('formerContacts').values(row).returning('id').executeTakeFirstOrThrow();
  return Number(id);
}

/** Returns the former contacts of an order, oldest first. */
export async function findFormerContacts(queries: Db, orderId: string): Promise<readonly FormerContact[]> {
  const rows = await queries
    .selectFrom('formerContacts')
    .selectAll()
    .where('orderId', '=', orderId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, id: Number(row.id), contact: JSON.parse(row.contact) as Person }));
}

/** Returns the id of the order whose link had this token before. `undefined`: none, or its former contacts were erased. */
export async function findIdByFormerToken(queries: Db, token: string): Promise<string | undefined> {
  const former = queries.selectFrom('formerContacts').select('orderId').where('token', '=', token);
  return (await former.executeTakeFirst())?.orderId;
}

export function isSameMailbox(one: string, other: string): boolean {
  return mailboxKey(one) === mailboxKey(other);
}

/** Returns whether an admin user replaced this e-mail address in one of these orders, and the order has another one now. */
export async function isFormerEmail(queries: Db, orderIds: readonly string[], email: string): Promise<boolean> {
  // PostgreSQL refuses an empty list.
  if (orderIds.length === 0) return false;
  const former = await queries
    .selectFrom('formerContacts')
    .innerJoin('orders', 'orders.id', 'formerContacts.orderId')
    .select(['formerContacts.contact', 'orders.email'])
    .where('formerContacts.orderId', 'in', orderIds)
    .execute();
  return former.some(
    (row) => isSameMailbox((JSON.parse(row.contact) as Person).email, email) && !isSameMailbox(row.email, email),
  );
}
