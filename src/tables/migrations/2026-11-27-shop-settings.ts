import { type Kysely, type Migration, sql } from 'kysely';

/** What the merchant changes in the back office, with its history. */
export const shopSettings: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table shop_settings_changes (
      version integer primary key,
      kind text not null,
      changed_by text not null,
      changed_at bigint not null
    )`.execute(db);
    await sql`create table shop_settings_values (
      version integer not null,
      name text not null,
      value text not null,
      primary key (name, version)
    )`.execute(db);
  },
};
