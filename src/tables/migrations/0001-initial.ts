import { isPostgres } from '@tianguis/payments/database';
import { type Kysely, type Migration, sql } from 'kysely';

export const initial: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // Ids of deleted rows are not reused.
    const counter = isPostgres(db) ? 'bigserial primary key' : 'integer primary key autoincrement';
    for (const table of TABLES) await sql.raw(table.replace('{counter}', counter)).execute(db);
    for (const index of INDEXES) await sql.raw(index).execute(db);
  },
};

const TABLES = [
  `create table products (
    id text primary key,
    slug text not null unique,
    position integer not null,
    category text not null,
    price bigint not null,
    tax_rate text not null,
    stock integer check (stock >= 0),
    requires_shipping integer not null,
    visible integer not null,
    image text not null,
    clave_prod_serv text not null,
    clave_unidad text not null,
    texts text not null,
    search_text text not null,
    version integer not null,
    updated_at bigint not null
  )`,
  `create table product_events (
    id {counter},
    product_id text not null references products (id),
    at bigint not null,
    by text not null,
    kind text not null,
    detail text not null
  )`,
  `create table carts (
    id text primary key,
    version integer not null,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  `create table cart_lines (
    cart_id text not null references carts (id) on delete cascade,
    product_id text not null,
    quantity integer not null,
    seen_price bigint not null,
    added_at bigint not null,
    constraint cart_lines_key primary key (cart_id, product_id)
  )`,
  `create table orders (
    id text primary key,
    number text not null unique,
    token text not null unique,
    cart_id text not null,
    cart_version integer not null,
    state text not null,
    version integer not null,
    total bigint not null,
    currency text not null,
    first_name text not null,
    last_name text not null,
    email text not null,
    search_name text not null,
    search_surname text not null,
    shipping_option text not null,
    street text not null,
    interior_number text not null,
    neighborhood text not null,
    municipality text not null,
    delivery_state text not null,
    postal_code text not null,
    phone text not null,
    delivery_notes text not null,
    contact_hash text not null,
    locale text not null,
    review_reason text,
    superseded_by text,
    paid_attempt_id text,
    created_at bigint not null,
    updated_at bigint not null,
    paid_at bigint,
    constraint orders_one_per_cart_version unique (cart_id, cart_version)
  )`,
  `create table order_lines (
    order_id text not null references orders (id),
    position integer not null,
    product_id text not null,
    name text not null,
    unit_price bigint not null,
    quantity integer not null,
    tax_rate text not null,
    constraint order_lines_key primary key (order_id, position)
  )`,
  `create table attempts (
    id text primary key,
    order_id text not null references orders (id),
    ordinal integer not null,
    flow text not null,
    state text not null,
    live integer,
    environment text not null,
    reference text not null,
    amount bigint not null,
    confirmed_amount bigint,
    gateway_id text unique,
    redirect_url text,
    expires_at bigint not null,
    leased_until bigint not null,
    checked_at bigint not null,
    next_check_at bigint not null,
    checks integer not null,
    gateway_status text,
    found_at bigint,
    returned_at bigint,
    abandoned_at bigint,
    created_at bigint not null,
    updated_at bigint not null,
    constraint attempts_ordinal unique (order_id, ordinal)
  )`,
  `create table refunds (
    id text primary key,
    order_id text not null references orders (id),
    attempt_id text not null references attempts (id),
    kind text not null,
    state text not null,
    in_flight integer,
    amount bigint not null check (amount > 0),
    reason text not null,
    returns_stock integer not null,
    leased_until bigint not null,
    gateway_refund_id text,
    gateway_status text,
    refunded_on text,
    by text not null,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  `create table order_events (
    id {counter},
    order_id text not null references orders (id),
    at bigint not null,
    kind text not null,
    detail text not null
  )`,
  `create table fulfillments (
    order_id text primary key references orders (id),
    attempt_id text not null,
    at bigint not null,
    stock_taken integer not null,
    state text not null,
    carrier text,
    tracking_number text,
    version integer not null,
    updated_at bigint not null
  )`,
  `create table invoice_requests (
    order_id text primary key references orders (id),
    rfc text not null,
    name text not null,
    tax_regime text not null,
    cfdi_use text not null,
    postal_code text not null,
    email text not null,
    version integer not null,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  `create table reservations (
    order_id text not null references orders (id),
    product_id text not null,
    cart_id text not null,
    quantity integer not null,
    expires_at bigint not null,
    address_key text not null,
    constraint reservations_key primary key (order_id, product_id)
  )`,
  `create table inbox (
    id {counter},
    hash text not null unique,
    body text not null,
    event text,
    state text not null,
    tries integer not null,
    copies integer not null,
    received_at bigint not null,
    next_at bigint not null,
    done_at bigint
  )`,
  `create table outbox (
    key text primary key,
    order_id text not null references orders (id),
    job text not null,
    tries integer not null,
    next_at bigint not null,
    created_at bigint not null,
    done_at bigint,
    last_error text
  )`,
  `create table sessions (
    sid text primary key,
    data text not null,
    expires_at bigint not null
  )`,
  `create table admin_users (
    id text primary key,
    name text not null,
    role text not null,
    password_hash text not null,
    totp_secret text,
    totp_step bigint not null,
    disabled_at bigint,
    session_version integer not null,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  `create table admin_sign_ins (
    id {counter},
    user_id text references admin_users (id),
    at bigint not null,
    result text not null
  )`,
  // The columns are those of `rate-limiter-flexible`. Unused with SQLite.
  `create table attempt_limits (
    key varchar(255) primary key,
    points integer not null default 0,
    expire bigint
  )`,
] as const;

/**
 * Indexes for lists of orders end in the id, for keyset pagination. The back office's figures use covering indexes:
 * they read no table.
 */
const INDEXES = [
  'create unique index products_by_position on products (position)',
  'create index products_by_category on products (category, position) where visible = 1',
  'create index product_events_by_product on product_events (product_id, id)',

  'create index carts_by_change on carts (updated_at)',

  'create index orders_by_age on orders (created_at, id, state)',
  'create index orders_by_state on orders (state, created_at, id)',
  'create index orders_by_email on orders (lower(email), created_at, id)',
  // The whole name as last column: SQLite then compares it without reading the table.
  'create index orders_by_name on orders (substr(search_name, 1, 3), created_at, id, search_name)',
  'create index orders_by_surname on orders (substr(search_surname, 1, 3), created_at, id, search_surname)',
  "create index orders_in_review on orders (updated_at) where review_reason is not null or state = 'outcome_unknown'",
  "create index orders_in_review_by_age on orders (created_at, id) where review_reason is not null or state = 'outcome_unknown'",
  'create index orders_paid on orders (paid_at, created_at, total) where paid_at is not null',
  'create index orders_superseded on orders (superseded_by) where superseded_by is not null',
  "create index orders_with_personal_data on orders (created_at) where email <> ''",

  // At most one live attempt per order.
  'create unique index attempts_one_live on attempts (order_id) where live = 1',
  "create index attempts_due on attempts (next_check_at) where state in ('creating', 'open', 'superseded', 'review')",
  'create index attempts_by_reference on attempts (reference)',

  // Before the next index: of two indexes that fit, SQLite uses the later one.
  "create index refunds_blocking on refunds (attempt_id) where in_flight = 1 or kind = 'chargeback'",
  // At most one refund per attempt whose outcome is not known.
  'create unique index refunds_one_in_flight on refunds (attempt_id) where in_flight = 1',
  'create index refunds_by_order on refunds (order_id, id)',
  'create unique index refunds_by_gateway_id on refunds (gateway_refund_id) where gateway_refund_id is not null',
  "create index refunds_sending on refunds (leased_until) where state = 'sending'",
  'create index refunds_by_day on refunds (refunded_on) where refunded_on is not null',

  'create index order_events_by_order on order_events (order_id, id)',

  "create index fulfillments_to_ship on fulfillments (at, order_id) where state = 'preparing'",

  'create index reservations_by_product on reservations (product_id, expires_at)',
  'create index reservations_by_expiry on reservations (expires_at)',
  'create index reservations_by_cart on reservations (cart_id)',
  'create index reservations_by_address on reservations (address_key, expires_at)',

  "create index inbox_due on inbox (next_at) where state = 'new'",
  'create index inbox_done on inbox (done_at) where done_at is not null',
  'create index inbox_by_receipt on inbox (received_at, state)',

  'create index outbox_due on outbox (next_at) where done_at is null',
  'create index outbox_waiting on outbox (created_at) where done_at is null',
  'create index outbox_done on outbox (done_at) where done_at is not null',

  'create index sessions_by_expiry on sessions (expires_at)',

  'create unique index admin_users_by_name on admin_users (lower(name))',
  'create index admin_sign_ins_by_time on admin_sign_ins (at)',
] as const;
