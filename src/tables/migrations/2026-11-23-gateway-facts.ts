import { type Kysely, type Migration, sql } from 'kysely';

/** Stores what the gateway's answers hold: numbers, times, how an id became known, and the key that was used. */
export const gatewayFacts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
    await splitEnvironments(db);
  },
};

const STATEMENTS = [
  'alter table attempts rename column expires_at to offer_ends_at',
  'alter table attempts add column id_source text',
  'alter table attempts add column transaction_id text',
  'alter table attempts add column payment_id text',
  'alter table attempts add column provider text',
  'alter table attempts add column not_found_at bigint',
  'alter table attempts add column never_completed_at bigint',
  "alter table attempts add column key_fingerprint text not null default ''",
  `update attempts set id_source = case when exists (
      select 1 from order_events where order_events.order_id = attempts.order_id and kind = 'payment_found'
        and detail = '{"attempt":' || attempts.ordinal || '}') then 'found' else 'answer' end
    where gateway_id is not null`,
  'alter table orders add column confirmed_at bigint',
  'update orders set confirmed_at = paid_at',
  'create index attempts_by_transaction_id on attempts (transaction_id) where transaction_id is not null',
  'create index attempts_by_payment_id on attempts (payment_id) where payment_id is not null',
  'create index attempts_never_completed on attempts (never_completed_at) where never_completed_at is not null',
  // Live attempts and ended offers are looked up by different loops of the worker.
  'drop index attempts_due',
  "create index attempts_due on attempts (next_check_at) where state in ('creating', 'open')",
  "create index attempts_watched on attempts (next_check_at) where state in ('superseded', 'review')",
] as const;

/** The environment was both addresses and the key's fingerprint, separated by spaces. */
async function splitEnvironments(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ environment: string }>`select distinct environment from attempts`.execute(db);
  for (const { environment } of rows) {
    const [, addresses = environment, fingerprint = ''] = /^(.*) ([0-9a-f]{12})$/.exec(environment) ?? [];
    await sql`update attempts set environment = ${addresses}, key_fingerprint = ${fingerprint}
      where environment = ${environment}`.execute(db);
  }
}
