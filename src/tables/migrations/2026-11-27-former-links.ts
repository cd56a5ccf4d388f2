import { type Kysely, type Migration, sql } from 'kysely';

/** Stores the links of orders that a correction of the customer's data replaced. */
export const formerLinks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table former_contacts add column token text`.execute(db);
    await sql`create index former_contacts_by_token on former_contacts (token) where token is not null`.execute(db);
  },
};
