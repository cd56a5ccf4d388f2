import { isPostgres } from '@tianguis/payments/database';
import { type Kysely, type Migration, sql } from 'kysely';

/** AVIF of uploaded pictures. The name sorts after that of the migration that creates the table. */
export const avifPictures: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const type = sql.raw(isPostgres(db) ? 'bytea' : 'blob');
    await sql`alter table pictures add column avif ${type}`.execute(db);
  },
};
