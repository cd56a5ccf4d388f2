import { type Kysely, type Migration, sql } from 'kysely';

/** Indexes the fulfillments by state, and the products that are sold out, for the first page of the back office. */
export const dayWork: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`drop index fulfillments_to_ship`.execute(db);
    await sql`create index fulfillments_by_state on fulfillments (state, at, order_id)`.execute(db);
    await sql`create index products_sold_out on products (position) where stock = 0 and visible = 1`.execute(db);
  },
};
