import { type Kysely, type Migration, sql } from 'kysely';

/** From when an unpaid order waits for its reminder. Its time without the delay, which is a setting. */
export const reminderTimes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table orders add column reminder_from bigint`.execute(db);
    await sql`update orders set reminder_from = created_at where payable_until is not null`.execute(db);
    await sql`create index orders_to_remind on orders (reminder_from)
      where payable_until is not null and reminder_from is not null`.execute(db);
  },
};
