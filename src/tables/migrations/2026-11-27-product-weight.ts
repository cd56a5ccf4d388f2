import { type Kysely, type Migration, sql } from 'kysely';

/** The weight of a product in grams. Null: unknown. */
export const productWeight: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table products add column weight_g integer`.execute(db);
  },
};
