import { type Kysely, type Migration, sql } from 'kysely';
import { findColumns } from '../catalog.js';
import { ADDED_COLUMNS, type TableOptions } from '../table-sql.js';

/** How an order was paid past the gateway, in tables of the version before. */
export function outsidePayments({ tablePrefix = '' }: TableOptions): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const table = `${tablePrefix}attempts`;
      const found = await findColumns(db, table);
      for (const name of ADDED_COLUMNS.attempts.filter((each) => !found.has(each)))
        await sql.raw(`alter table ${table} add column ${name} text`).execute(db);
    },
  };
}
