import { type Kysely, type Migration, sql } from 'kysely';

/** The main product of each variant. */
export const productVariants: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // No foreign key: its check would lock the main product after other products, against the order of locks.
    await sql`alter table products add column variant_of text`.execute(db);
    await sql`create index products_by_group on products (variant_of, visible, category, position)`.execute(db);
    // With the column that the number of catalog pages depends on, so that counting reads the index only.
    await sql`drop index products_by_category`.execute(db);
    await sql`create index products_by_category on products (category, position, variant_of) where visible = 1`.execute(
      db,
    );
  },
};
