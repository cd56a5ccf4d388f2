import type { Kysely, Selectable } from 'kysely';
import type { DatabaseOf, Tx } from '../database/database.js';
import type { PayableOrdersTable, PaymentTables, SharedTables } from './tables.js';

/** The database, or one transaction. */
export type DbOf<T> = Kysely<T>;

/** The same with the tables of the payments only. */
export type Db = DbOf<PaymentTables>;

export type Transaction = Tx<PaymentTables>;

/**
 * An order of the payments. `T`: the tables of the host. If it shares `orders`, the row has all its columns. With a table prefix
 * it has those of the payments.
 */
export type OrderOf<T> = Readonly<Selectable<T extends SharedTables ? T['orders'] : PayableOrdersTable>>;

export type Database = DatabaseOf<PaymentTables>;
