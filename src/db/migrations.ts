import { type Kysely, type Migration, type MigrationProvider, sql } from 'kysely';
import { isPostgres } from './dialects.js';

/** The program's migrations by name. Each runs once, in order of name. Never change a released migration. */
const migrationsByName: Record<string, Migration> = {
  '0001-initial': {
    async up(db: Kysely<unknown>): Promise<void> {
      await createProducts(db);
      await createCarts(db);
      await createOrders(db);
      await createAttempts(db);
      await createRefunds(db);
      await createOrderEvents(db);
      await createFulfillments(db);
      await createInvoiceRequests(db);
      await createReservations(db);
      await createInbox(db);
      await createOutbox(db);
      await createSessions(db);
      await createAdminUsers(db);
      await createRateLimits(db);
      for (const index of INDEXES) await sql.raw(index).execute(db);
    },
  },
};

export const migrations: MigrationProvider = { getMigrations: () => Promise.resolve(migrationsByName) };

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

async function createProducts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('products')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('slug', 'text', (column) => column.notNull().unique())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('category', 'text', (column) => column.notNull())
    .addColumn('price', 'bigint', (column) => column.notNull())
    .addColumn('tax_rate', 'text', (column) => column.notNull())
    .addColumn('stock', 'integer', (column) => column.check(sql`stock >= 0`))
    .addColumn('requires_shipping', 'integer', (column) => column.notNull())
    .addColumn('visible', 'integer', (column) => column.notNull())
    .addColumn('image', 'text', (column) => column.notNull())
    .addColumn('clave_prod_serv', 'text', (column) => column.notNull())
    .addColumn('clave_unidad', 'text', (column) => column.notNull())
    .addColumn('texts', 'text', (column) => column.notNull())
    .addColumn('search_text', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
  await tableWithCounter(db, 'product_events')
    .addColumn('product_id', 'text', (column) => column.notNull().references('products.id'))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('by', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .execute();
}

async function createCarts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('carts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('cart_lines')
    .addColumn('cart_id', 'text', (column) => column.notNull().references('carts.id').onDelete('cascade'))
    .addColumn('product_id', 'text', (column) => column.notNull())
    .addColumn('quantity', 'integer', (column) => column.notNull())
    .addColumn('seen_price', 'bigint', (column) => column.notNull())
    .addColumn('added_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('cart_lines_key', ['cart_id', 'product_id'])
    .execute();
}

async function createOrders(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('orders')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('number', 'text', (column) => column.notNull().unique())
    .addColumn('token', 'text', (column) => column.notNull().unique())
    .addColumn('cart_id', 'text', (column) => column.notNull())
    .addColumn('cart_version', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('total', 'bigint', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('first_name', 'text', (column) => column.notNull())
    .addColumn('last_name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('search_name', 'text', (column) => column.notNull())
    .addColumn('search_surname', 'text', (column) => column.notNull())
    .addColumn('shipping_option', 'text', (column) => column.notNull())
    .addColumn('street', 'text', (column) => column.notNull())
    .addColumn('interior_number', 'text', (column) => column.notNull())
    .addColumn('neighborhood', 'text', (column) => column.notNull())
    .addColumn('municipality', 'text', (column) => column.notNull())
    .addColumn('delivery_state', 'text', (column) => column.notNull())
    .addColumn('postal_code', 'text', (column) => column.notNull())
    .addColumn('phone', 'text', (column) => column.notNull())
    .addColumn('delivery_notes', 'text', (column) => column.notNull())
    .addColumn('contact_hash', 'text', (column) => column.notNull())
    .addColumn('locale', 'text', (column) => column.notNull())
    .addColumn('review_reason', 'text')
    .addColumn('superseded_by', 'text')
    .addColumn('paid_attempt_id', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('paid_at', 'bigint')
    .addUniqueConstraint('orders_one_per_cart_version', ['cart_id', 'cart_version'])
    .execute();
  await db.schema
    .createTable('order_lines')
    .addColumn('order_id', 'text', (column) => column.notNull().references('orders.id'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('product_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('unit_price', 'bigint', (column) => column.notNull())
    .addColumn('quantity', 'integer', (column) => column.notNull())
    .addColumn('tax_rate', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('order_lines_key', ['order_id', 'position'])
    .execute();
}

async function createAttempts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('attempts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('order_id', 'text', (column) => column.notNull().references('orders.id'))
    .addColumn('ordinal', 'integer', (column) => column.notNull())
    .addColumn('flow', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('live', 'integer')
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('confirmed_amount', 'bigint')
    .addColumn('gateway_id', 'text', (column) => column.unique())
    .addColumn('redirect_url', 'text')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('leased_until', 'bigint', (column) => column.notNull())
    .addColumn('checked_at', 'bigint', (column) => column.notNull())
    .addColumn('next_check_at', 'bigint', (column) => column.notNull())
    .addColumn('checks', 'integer', (column) => column.notNull())
    .addColumn('gateway_status', 'text')
    .addColumn('found_at', 'bigint')
    .addColumn('returned_at', 'bigint')
    .addColumn('abandoned_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('attempts_ordinal', ['order_id', 'ordinal'])
    .execute();
}

async function createRefunds(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('refunds')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('order_id', 'text', (column) => column.notNull().references('orders.id'))
    .addColumn('attempt_id', 'text', (column) => column.notNull().references('attempts.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('in_flight', 'integer')
    .addColumn('amount', 'bigint', (column) => column.notNull().check(sql`amount > 0`))
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('returns_stock', 'integer', (column) => column.notNull())
    .addColumn('leased_until', 'bigint', (column) => column.notNull())
    .addColumn('gateway_refund_id', 'text')
    .addColumn('gateway_status', 'text')
    .addColumn('refunded_on', 'text')
    .addColumn('by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
}

async function createOrderEvents(db: Kysely<unknown>): Promise<void> {
  await tableWithCounter(db, 'order_events')
    .addColumn('order_id', 'text', (column) => column.notNull().references('orders.id'))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .execute();
}

async function createFulfillments(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fulfillments')
    .addColumn('order_id', 'text', (column) => column.primaryKey().references('orders.id'))
    .addColumn('attempt_id', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('stock_taken', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('carrier', 'text')
    .addColumn('tracking_number', 'text')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
}

async function createInvoiceRequests(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('invoice_requests')
    .addColumn('order_id', 'text', (column) => column.primaryKey().references('orders.id'))
    .addColumn('rfc', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('tax_regime', 'text', (column) => column.notNull())
    .addColumn('cfdi_use', 'text', (column) => column.notNull())
    .addColumn('postal_code', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
}

async function createReservations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('reservations')
    .addColumn('order_id', 'text', (column) => column.notNull().references('orders.id'))
    .addColumn('product_id', 'text', (column) => column.notNull())
    .addColumn('cart_id', 'text', (column) => column.notNull())
    .addColumn('quantity', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('address_key', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('reservations_key', ['order_id', 'product_id'])
    .execute();
}

async function createInbox(db: Kysely<unknown>): Promise<void> {
  await tableWithCounter(db, 'inbox')
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('event', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('copies', 'integer', (column) => column.notNull())
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addColumn('next_at', 'bigint', (column) => column.notNull())
    .addColumn('done_at', 'bigint')
    .execute();
}

async function createOutbox(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('outbox')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('order_id', 'text', (column) => column.notNull().references('orders.id'))
    .addColumn('job', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('next_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('done_at', 'bigint')
    .addColumn('last_error', 'text')
    .execute();
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('sid', 'text', (column) => column.primaryKey())
    .addColumn('data', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
}

async function createAdminUsers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('admin_users')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('totp_secret', 'text')
    .addColumn('totp_step', 'bigint', (column) => column.notNull())
    .addColumn('disabled_at', 'bigint')
    .addColumn('session_version', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
  await tableWithCounter(db, 'admin_sign_ins')
    .addColumn('user_id', 'text', (column) => column.references('admin_users.id'))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('result', 'text', (column) => column.notNull())
    .execute();
}

/** The columns are those of `rate-limiter-flexible`. Unused with SQLite. */
async function createRateLimits(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('attempt_limits')
    .addColumn('key', 'varchar(255)', (column) => column.primaryKey())
    .addColumn('points', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('expire', 'bigint')
    .execute();
}

/** A table with an auto-increment primary key `id`. Ids of deleted rows are not reused. */
function tableWithCounter(db: Kysely<unknown>, name: string) {
  const table = db.schema.createTable(name);
  return isPostgres(db)
    ? table.addColumn('id', 'bigserial', (column) => column.primaryKey())
    : table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement());
}
