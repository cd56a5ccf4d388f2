import { FEATURE_ROWS } from '../../src/features/rows.js';
import type { Db } from '../../src/tables/database.js';

export interface UnusedTable {
  /** Its name in the database. */
  readonly table: string;
  readonly feature: string;
  readonly count: number;
}

/** Returns the tables with rows whose feature is not in `features`. */
export async function findUnusedTables(queries: Db, features: readonly string[]): Promise<readonly UnusedTable[]> {
  const found: UnusedTable[] = [];
  for (const [table, { feature }] of Object.entries(FEATURE_ROWS)) {
    if (features.includes(feature)) continue;
    const rows = queries.withTables<Record<string, object>>().selectFrom(table);
    const { count } = await rows.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
    if (count > 0) found.push({ table: inDatabase(table), feature, count });
  }
  return found;
}

function inDatabase(table: string): string {
  return table.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the number of refunds of which it is not decided yet if the money is returned. */
export async function countRefundsInFlight(queries: Db): Promise<number> {
  const refunds = queries.selectFrom('refunds').select((eb) => eb.fn.countAll<number>().as('count'));
  const { count } = await refunds.where('inFlight', '=', 1).executeTakeFirstOrThrow();
  return count;
}
