import { type Kysely, type Migration, sql } from 'kysely';

/** An index of the products with few pieces, for each level that the merchant may set. */
export const fewPieces: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index products_few_pieces on products (stock, position)
      where stock between 1 and 100 and visible = 1`.execute(db);
  },
};
