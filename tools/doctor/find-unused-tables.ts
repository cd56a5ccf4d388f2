import type { Db } from '../../src/db/database.js';

/**
 * The only feature that uses each table, by the table's name in the database. The program cannot read the types of a
 * removed feature, so this is a list.
 */
export const FEATURE_TABLES: Readonly<Record<string, string>> = {
  discount_codes: 'discounts',
  discount_uses: 'discounts',
  former_addresses: 'address-changes',
  former_contacts: 'contact-changes',
  invoice_files: 'invoices',
  invoice_links: 'invoices',
  invoice_requests: 'invoices',
  pictures: 'pictures',
  postal_codes: 'postal-codes',
  reminded_mailboxes: 'reminders',
};

export interface UnusedTable {
  readonly table: string;
  readonly feature: string;
  readonly count: number;
}

/** Returns the tables with rows whose feature is not in `features`. */
export async function findUnusedTables(queries: Db, features: readonly string[]): Promise<readonly UnusedTable[]> {
  const found: UnusedTable[] = [];
  for (const [table, feature] of Object.entries(FEATURE_TABLES)) {
    if (features.includes(feature)) continue;
    const rows = queries.withTables<Record<string, object>>().selectFrom(table);
    const { count } = await rows.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
    if (count > 0) found.push({ table, feature, count });
  }
  return found;
}

/** Returns the number of refunds of which it is not decided yet if the money is returned. */
export async function countRefundsInFlight(queries: Db): Promise<number> {
  const refunds = queries.selectFrom('refunds').select((eb) => eb.fn.countAll<number>().as('count'));
  const { count } = await refunds.where('inFlight', '=', 1).executeTakeFirstOrThrow();
  return count;
}
