import type { Kysely, Migration } from 'kysely';
import { isPostgres } from '../../database/dialects.js';
import { createLimitTable } from '../../database/limits.js';
import type { TableOptions } from '../table-sql.js';

/** The limits of processes get the prefix too, in tables of the version before. */
export function prefixedLimitTable({ tablePrefix = '' }: TableOptions): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      if (isPostgres(db)) await createLimitTable(db, tablePrefix);
    },
  };
}
