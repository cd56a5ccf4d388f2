/** Names, e-mail addresses and phones that admin users replaced. They are personal data: the history holds only their ids. */
import type { Db } from '../../db/database.js';
import type { Order } from '../../db/orders.js';
import type { Person } from './rules.js';

export interface FormerContact {
  readonly id: number;
  readonly replacedAt: number;
  /** Name of the admin user who replaced it. */
  readonly by: string;
  readonly contact: Person;
}

/** Stores the contact that a locked order has now. Returns the id of the row. */
export async function storeFormerContact(queries: Db, order: Order, at: number, by: string): Promise<number> {
  const { firstName, lastName, email, phone } = order;
  const row = { orderId: order.id, replacedAt: at, by, contact: JSON.stringify({ firstName, lastName, email, phone }) };
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
