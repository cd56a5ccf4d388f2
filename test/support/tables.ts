import type { Database } from '../../src/db/database.js';
import type { Schema } from '../../src/db/schema.js';

/** The names of all tables, those of removed features included. A missing name is a compile error. */
export const TABLES = Object.keys({
  products: true,
  productEvents: true,
  productWords: true,
  catalogWords: true,
  pictures: true,
  productPictures: true,
  carts: true,
  cartLines: true,
  orders: true,
  orderLines: true,
  orderNames: true,
  attempts: true,
  refunds: true,
  orderEvents: true,
  fulfillments: true,
  invoiceRequests: true,
  invoiceFiles: true,
  formerAddresses: true,
  formerContacts: true,
  invoiceLinks: true,
  reservations: true,
  inbox: true,
  outbox: true,
  sessions: true,
  remindedMailboxes: true,
  discountCodes: true,
  discountUses: true,
  postalCodes: true,
  typedForms: true,
  adminUsers: true,
  adminSignIns: true,
  adminRecoveryCodes: true,
  adminLinks: true,
  adminUserEvents: true,
  shopSettingsChanges: true,
  shopSettingsValues: true,
} satisfies Record<keyof Schema, true> & Record<string, true>) as readonly (keyof Schema)[];

/** Deletes referencing rows first: `TABLES` lists a table before the tables that reference it. */
export async function deleteRecords(db: Database, kept: readonly (keyof Schema)[] = []): Promise<void> {
  await db.transaction(async (queries) => {
    for (const table of TABLES.toReversed().filter((name) => !kept.includes(name)))
      await queries.deleteFrom(table).execute();
  });
}
