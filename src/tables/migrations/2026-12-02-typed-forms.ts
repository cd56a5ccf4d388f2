import { type Kysely, type Migration, sql } from 'kysely';

/** What customers typed into forms. The worker deletes it after its time. */
export const typedForms: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table typed_forms (
      sid text not null,
      page text not null,
      content text not null,
      expires_at bigint not null,
      primary key (sid, page)
    )`.execute(db);
    await sql`create index typed_forms_by_expiry on typed_forms (expires_at)`.execute(db);
  },
};
