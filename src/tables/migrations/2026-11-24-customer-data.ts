import { isPostgres } from '@tianguis/payments/database';
import { type Kysely, type Migration, sql } from 'kysely';

/** Stores the addresses that admin users replaced, and the hashes of links that open an invoice form. */
export const customerData: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const counter = isPostgres(db) ? 'bigserial primary key' : 'integer primary key autoincrement';
    for (const statement of STATEMENTS) await sql.raw(statement.replace('{counter}', counter)).execute(db);
  },
};

const STATEMENTS = [
  `create table former_addresses (
    id {counter},
    order_id text not null references orders (id),
    replaced_at bigint not null,
    by text not null,
    address text not null
  )`,
  'create index former_addresses_by_order on former_addresses (order_id, id)',
  `create table invoice_links (
    hash text primary key,
    order_id text not null references orders (id),
    expires_at bigint not null
  )`,
  'create index invoice_links_by_order on invoice_links (order_id)',
  'create index invoice_links_by_expiry on invoice_links (expires_at)',
] as const;
