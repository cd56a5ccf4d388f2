import { type Kysely, type Migration, sql } from 'kysely';

/** The postal codes that the merchant imports. */
export const postalCodes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(`create table postal_codes (
        code text primary key,
        municipalities text not null,
        neighborhoods text not null
      )`)
      .execute(db);
  },
};
