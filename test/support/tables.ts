import { FEATURE_ROWS } from '../../src/features/rows.js';
import type { FeatureTables } from '../../src/features/tables.js';
import type { Database } from '../../src/tables/database.js';
import type { Schema } from '../../src/tables/schema.js';

/** The names of all tables but those of features. A missing name is a compile error. */
const CORE_TABLES = Object.keys({
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
  reservations: true,
  inbox: true,
  outbox: true,
  sessions: true,
  typedForms: true,
  adminUsers: true,
  adminSignIns: true,
  adminRecoveryCodes: true,
  adminLinks: true,
  adminUserEvents: true,
  shopSettingsChanges: true,
  shopSettingsValues: true,
} satisfies Record<Exclude<keyof Schema, keyof FeatureTables>, true>);

/** The names of all tables, those of removed features included. A table is before those that reference it. */
export const TABLES = [...new Set([...CORE_TABLES, ...Object.keys(FEATURE_ROWS)])] as readonly (keyof Schema)[];

/** Deletes referencing rows first. */
export async function deleteRecords(db: Database, kept: readonly (keyof Schema)[] = []): Promise<void> {
  await db.transaction(async (queries) => {
    for (const table of TABLES.toReversed().filter((name) => !kept.includes(name)))
      await queries.deleteFrom(table).execute();
  });
}
