import { isPostgres } from '@tianguis/payments/database';
import { type Kysely, type Migration, sql } from 'kysely';

/** Stores the names, e-mail addresses and phones that admin users replaced. */
export const formerContacts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const counter = isPostgres(db) ? 'bigserial primary key' : 'integer primary key autoincrement';
    await sql
      .raw(
        `create table former_contacts (
          id ${counter},
          order_id text not null references orders (id),
          replaced_at bigint not null,
          by text not null,
          contact text not null
        )`,
      )
      .execute(db);
    await sql`create index former_contacts_by_order on former_contacts (order_id, id)`.execute(db);
  },
};
