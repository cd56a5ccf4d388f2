/** Delivery addresses that admin users replaced. They are personal data: the history of an order holds only their ids. */

import type { Address } from '../../shop/rules/contact.js';
import type { Db } from '../../tables/database.js';
import type { Order } from '../../tables/orders.js';
import { addressOf } from './address-of.js';

export interface FormerAddress {
  readonly id: number;
  readonly orderId: string;
  readonly replacedAt: number;
  /** Name of the admin user who replaced it. */
  readonly by: string;
  readonly address: Address;
}

/** Stores the address that a locked order has now. Returns the id of the row. */
export async function storeFormerAddress(queries: Db, order: Order, at: number, by: string): Promise<number> {
  const address = JSON.stringify(addressOf(order));
  const row = { orderId: order.id, replacedAt: at, by, address };
  const { id } = await queries.insertInto('formerAddresses').values(row).returning('id').executeTakeFirstOrThrow();
  return Number(id);
}

/** Returns the former addresses of an order, oldest first. */
export async function findFormerAddresses(queries: Db, orderId: string): Promise<readonly FormerAddress[]> {
  const former = queries.selectFrom('formerAddresses').selectAll().where('orderId', '=', orderId);
  const rows = await former.orderBy('id').execute();
  return rows.map((row) => ({ ...row, address: JSON.parse(row.address) as Address }));
}
