import { type Kysely, type Migration, sql } from 'kysely';

/** Indexes carts that were not changed after their creation, for their retention. */
export const unchangedCarts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index carts_unchanged on carts (updated_at) where updated_at = created_at`.execute(db);
  },
};
