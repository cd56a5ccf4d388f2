/** The personal data of orders, in all tables. */

import { eraseNotes } from '@tianguis/payments/back-office';
import { sql } from 'kysely';
import { EMPTY_CONTACT } from '../shop/rules/contact.js';
import { searchNames } from '../shop/rules/search-name.js';
import type { Db } from './database.js';

/** The columns of an order without personal data. */
const ERASED = {
  ...EMPTY_CONTACT,
  ...searchNames({ firstName: '', lastName: '' }),
  contactHash: '',
  note: '',
  payableUntil: null,
};

/** Tables whose rows are personal data of an order. They are erased also after the feature that wrote them was removed. */
export const PERSONAL_TABLES = [
  'formerAddresses',
  'formerContacts',
  'invoiceFiles',
  'invoiceLinks',
  'invoiceRequests',
  'orderNames',
] as const;

/** Those of them that a copy of a customer's data contains. The others hold secrets, files that the customer has by mail, and words of names for the search. */
export const COPIED_TABLES = [
  'formerAddresses',
  'formerContacts',
  'invoiceRequests',
] as const satisfies readonly (typeof PERSONAL_TABLES)[number][];

type StoredRow = Readonly<Record<string, string | number | null>>;

/** Returns the rows of these tables by table, also of those of removed features. */
export async function readPersonalRows(
  queries: Db,
  orderId: string,
): Promise<Readonly<Record<(typeof COPIED_TABLES)[number], readonly StoredRow[]>>> {
  const read = async (table: (typeof COPIED_TABLES)[number]) =>
    (await sql<StoredRow>`select * from ${sql.table(table)} where order_id = ${orderId}`.execute(queries)).rows;
  return {
    formerAddresses: await read('formerAddresses'),
    formerContacts: await read('formerContacts'),
    invoiceRequests: await read('invoiceRequests'),
  };
}

/** Removes the personal data of these locked orders. The new version makes forms outdated that still contain the data. */
export async function erasePersonalData(queries: Db, orderIds: readonly string[]): Promise<void> {
  await queries
    .updateTable('orders')
    .set((eb) => ({ ...ERASED, version: eb('version', '+', 1) }))
    .where('id', 'in', orderIds)
    .execute();
  await eraseNotes(queries, orderIds);
  // Not by the types of the tables, which a removed feature no longer has.
  for (const table of PERSONAL_TABLES)
    await sql`delete from ${sql.table(table)} where order_id in (${sql.join(orderIds)})`.execute(queries);
}
