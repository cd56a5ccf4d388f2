/** The personal data of orders, in all tables. */

import { eraseNotes } from '@tianguis/payments/back-office';
import { sql } from 'kysely';
import { FEATURE_ROWS } from '../features/rows.js';
import { EMPTY_CONTACT } from '../shop/rules/contact.js';
import { localTime } from '../shop/rules/mexico-day.js';
import { searchNames } from '../shop/rules/search-name.js';
import type { Db } from './database.js';
import type { CopyFormat } from './feature-rows.js';

/** The columns of an order without personal data. */
const ERASED = {
  ...EMPTY_CONTACT,
  ...searchNames({ firstName: '', lastName: '' }),
  contactHash: '',
  note: '',
  payableUntil: null,
};

/** Tables whose rows are personal data of an order: those of the core, and those of the features, also of removed ones. */
export const PERSONAL_TABLES = [
  'orderNames',
  ...Object.entries(FEATURE_ROWS).flatMap(([table, { personal }]) => (personal ? [table] : [])),
];

type CopiedRow = Readonly<Record<string, unknown>>;

/** Returns the rows of an order that the copy of a customer's data has, by table, also those of removed features. */
export async function readPersonalRows(
  queries: Db,
  orderId: string,
): Promise<Readonly<Record<string, readonly CopiedRow[]>>> {
  const copied: Record<string, readonly CopiedRow[]> = {};
  for (const [table, { personal }] of Object.entries(FEATURE_ROWS)) {
    const formats = Object.entries(personal?.copied ?? {});
    if (formats.length === 0) continue;
    const columns = sql.join(formats.map(([column]) => sql.ref(column)));
    const found = sql<CopiedRow>`select ${columns} from ${sql.table(table)} where order_id = ${orderId}`;
    const { rows } = await found.execute(queries);
    copied[table] = rows.map((row) =>
      Object.fromEntries(formats.map(([column, format]) => [column, copyOf(row[column], format)])),
    );
  }
  return copied;
}

function copyOf(value: unknown, format: CopyFormat | undefined): unknown {
  if (value === null || format === 'plain') return value;
  return format === 'time' ? localTime(Number(value)) : JSON.parse(String(value));
}

/** Removes the personal data of these locked orders. The new version makes forms outdated that still contain the data. */
export async function erasePersonalData(queries: Db, orderIds: readonly string[]): Promise<void> {
  await queries
    .updateTable('orders')
    .set((eb) => ({ ...ERASED, version: eb('version', '+', 1) }))
    .where('id', 'in', orderIds)
    .execute();
  await eraseNotes(queries, orderIds);
  for (const table of PERSONAL_TABLES.toReversed())
    await sql`delete from ${sql.table(table)} where order_id in (${sql.join(orderIds)})`.execute(queries);
}
