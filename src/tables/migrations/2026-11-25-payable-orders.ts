import { type Kysely, type Migration, sql } from 'kysely';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Until when an unpaid order can be paid. Open orders of the version before get 7 days from their placement. One that ended
 * as `cancelled` gets none, because the merchant may have ended it. An erased one gets none, because it has no address.
 */
export const payableOrders: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table orders add column payable_until bigint`.execute(db);
    await sql`update orders set payable_until = created_at + ${sql.lit(7 * DAY_MS)} where superseded_by is null
      and email <> '' and state in ('created', 'pending', 'outcome_unknown', 'declined', 'expired')`.execute(db);
    await sql`create index orders_payable on orders (payable_until) where payable_until is not null`.execute(db);
  },
};
