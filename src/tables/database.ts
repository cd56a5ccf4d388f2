/** The database of the shop: its tables, its migrations, and limits of clients. */

import { paymentMigrations } from '@tianguis/payments';
import {
  type DatabaseOf,
  migratorsOf,
  type NamedMigrator,
  type OnError,
  openDatabaseOf,
  type Tx,
} from '@tianguis/payments/database';
import type { Kysely } from 'kysely';
import { clientLimiters, type MakeClientLimiter } from './client-limits.js';
import { programMigrations } from './migrations/index.js';
import { ownMigrations } from './own-migrations.js';
import type { Schema } from './schema.js';

/** The database, or one transaction. */
export type Db = Kysely<Schema>;

export type Transaction = Tx<Schema>;

export interface Database extends Omit<DatabaseOf<Schema>, 'limiter'> {
  readonly limiter: MakeClientLimiter;
  /** Throws unless the database answers and has its tables. */
  ping(): Promise<void>;
}

/** Those of the program, of the payments, and of the merchant. An upgrade of the program cannot conflict with a migration of the merchant. */
const MIGRATIONS = [
  { table: 'kysely_migration', migrations: programMigrations },
  paymentMigrations(),
  { table: 'own_migration', migrations: ownMigrations },
] as const;

/** Opens `file:…` (SQLite) or `postgres://…`. The first query connects. */
export function openDatabase(url: string, onError: OnError): Database {
  const db = openDatabaseOf<Schema>(url, { onError, migrations: MIGRATIONS });
  return {
    ...db,
    limiter: clientLimiters(db.limiter),
    async ping() {
      await db.queries.selectFrom('carts').select('id').limit(1).execute();
    },
  };
}

/**
 * Returns the migrators of the shop in the order in which they run.
 * @public also used by tools
 */
export function migrators(db: Db): Promise<readonly NamedMigrator[]> {
  return migratorsOf(db, MIGRATIONS);
}
