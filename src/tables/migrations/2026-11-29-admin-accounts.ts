import { isPostgres } from '@tianguis/payments/database';
import { type Kysely, type Migration, sql } from 'kysely';

/** E-mail addresses, first passwords, recovery codes, links and the history of the back office's users. */
export const adminAccounts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const counter = isPostgres(db) ? 'bigserial primary key' : 'integer primary key autoincrement';
    for (const statement of STATEMENTS) await sql.raw(statement.replace('{counter}', counter)).execute(db);
  },
};

const STATEMENTS = [
  'alter table admin_users add column email text',
  'alter table admin_users add column must_change_password integer not null default 0',
  `create table admin_recovery_codes (
    user_id text not null references admin_users (id),
    hash text not null,
    constraint admin_recovery_codes_key primary key (user_id, hash)
  )`,
  `create table admin_links (
    hash text primary key,
    user_id text not null references admin_users (id),
    expires_at bigint not null
  )`,
  'create index admin_links_by_expiry on admin_links (expires_at)',
  `create table admin_user_events (
    id {counter},
    user_id text not null references admin_users (id),
    at bigint not null,
    by text not null,
    kind text not null,
    role_before text not null,
    role text not null
  )`,
  'create index admin_user_events_by_user on admin_user_events (user_id, id)',
] as const;
