import { type Kysely, type Migration, sql } from 'kysely';

/** Retention finds orders by name, because an order with a phone number needs no e-mail address. */
export const telephoneOrders: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index orders_with_customer on orders (created_at) where first_name <> ''`.execute(db);
  },
};
