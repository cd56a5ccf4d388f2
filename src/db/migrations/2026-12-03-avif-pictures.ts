import { type Kysely, type Migration, sql } from 'kysely';
import { isPostgres } from '../../database/dialects.js';

/** AVIF of uploaded pictures. Its name is after that of the table. */
export const avifPictures: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const type = sql.raw(isPostgres(db) ? 'bytea' : 'blob');
    await sql`alter table pictures add column avif ${type}`.execute(db);
  },
};
