import type { Kysely, Selectable } from 'kysely';
import type { DatabaseOf, Tx } from '../database/database.js';
import type { PaymentTables } from './tables.js';

/** The database, or one transaction. */
export type DbOf<T extends PaymentTables> = Kysely<T>;

/** The same with the tables of the payments only. */
export type Db = DbOf<PaymentTables>;

export type Transaction = Tx<PaymentTables>;

/** A row of the host's table `orders`, with all its columns. */
export type OrderOf<T extends PaymentTables> = Readonly<Selectable<T['orders']>>;

export type Database = DatabaseOf<PaymentTables>;
