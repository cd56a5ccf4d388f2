import { type Kysely, type Migration, sql } from 'kysely';

/** The attribute in which the products of a group differ. Null: none is named. */
export const variantAttribute: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table products add column variant_attribute text`.execute(db);
  },
};
