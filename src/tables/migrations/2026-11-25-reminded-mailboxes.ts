import { type Kysely, type Migration, sql } from 'kysely';

/** The mailboxes that got a reminder in the last day, as hashes. */
export const remindedMailboxes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table reminded_mailboxes (
      mailbox text primary key,
      reminded_at bigint not null
    )`.execute(db);
    await sql`create index reminded_mailboxes_by_time on reminded_mailboxes (reminded_at)`.execute(db);
  },
};
