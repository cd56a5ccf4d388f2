import { type Kysely, type Migration, sql } from 'kysely';

/** An internal note of the merchant on each order. */
export const orderNotes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table orders add column note text not null default ''`.execute(db);
  },
};
