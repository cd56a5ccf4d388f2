import { type Kysely, type Migration, sql } from 'kysely';

/** Discount codes, their uses, and the code of a cart and of an order. Rows of the versions before have none. */
export const discountCodes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  'alter table carts add column discount_code text',
  'alter table orders add column discount_code text',
  `create table discount_codes (
    code text primary key,
    kind text not null,
    value bigint not null,
    minimum bigint not null,
    starts_on text,
    ends_on text,
    max_uses integer,
    created_at bigint not null,
    created_by text not null,
    ended_at bigint,
    ended_by text
  )`,
  'create index discount_codes_by_age on discount_codes (created_at, code)',
  // No reference to the code: PostgreSQL would lock its row at each payment.
  `create table discount_uses (
    order_id text primary key references orders (id),
    code text not null,
    cart_id text not null,
    address_key text not null,
    site_key text not null,
    network_key text not null,
    expires_at bigint not null,
    used_at bigint
  )`,
  'create index discount_uses_by_code on discount_uses (code, used_at, expires_at)',
  'create index discount_uses_by_cart on discount_uses (cart_id)',
  'create index discount_uses_by_expiry on discount_uses (expires_at) where used_at is null',
] as const;
