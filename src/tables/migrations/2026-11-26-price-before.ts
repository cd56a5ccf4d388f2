import { type Kysely, type Migration, sql } from 'kysely';

/** The price before of a product, and of an order line as the customer saw it, in centavos. Null: none. */
export const priceBefore: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table products add column price_before bigint`.execute(db);
    await sql`alter table order_lines add column price_before bigint`.execute(db);
  },
};
