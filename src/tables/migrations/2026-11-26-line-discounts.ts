import { type Kysely, type Migration, sql } from 'kysely';

/** How much of a line's price a discount takes off, in centavos. Lines of the versions before have none. */
export const lineDiscounts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table order_lines add column discount bigint not null default 0`.execute(db);
  },
};
