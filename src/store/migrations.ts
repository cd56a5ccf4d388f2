import {
  type ColumnDefinitionBuilder,
  type Kysely,
  type Migration,
  type MigrationProvider,
  sql,
} from 'kysely';
import { isPostgres } from './dialects.js';

/** Brings the tables of an empty or older database to today's shape; each step is applied once, in order. */
export const migrations: MigrationProvider = {
  getMigrations: () => Promise.resolve(steps),
};

const steps: Record<string, Migration> = {
  '0001-orders': {
    async up(db: Kysely<unknown>): Promise<void> {
      await createCarts(db);
      await createOrders(db);
      await createAttempts(db);
      await createHistory(db);
      await createQueues(db);
      await createLimits(db);
      await createSessions(db);
    },
  },
  '0002-desk': {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`create index orders_for_person on orders (updated_at) where attention is not null or state = 'outcome_unknown'`.execute(
        db,
      );
      await db.schema.createIndex('orders_by_age').on('orders').column('created_at').execute();
    },
  },
  '0003-desk-figures': {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const index of DESK_INDEXES) await sql.raw(index).execute(db);
    },
  },
  '0004-growth': {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const index of GROWTH_INDEXES) await sql.raw(index).execute(db);
    },
  },
  '0005-unread-indexes': {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const index of UNREAD_INDEXES) await sql.raw(index).execute(db);
    },
  },
};

/** What is written with each order and read by nobody costs every checkout its time. */
const UNREAD_INDEXES = ['drop index orders_by_successor'] as const;

/** Every list ends in the id, so that a page begins where the last one ended; every figure is read from an index alone. */
const DESK_INDEXES = [
  'drop index orders_by_age',
  'create index orders_by_age on orders (created_at, id, state)',
  'create index orders_by_state on orders (state, created_at, id)',
  'create index orders_by_email on orders (lower(email), created_at, id)',
  "create index orders_for_person_by_age on orders (created_at, id) where attention is not null or state = 'outcome_unknown'",
  'create index orders_paid on orders (paid_at, created_at, total) where paid_at is not null',
  'create index inbox_by_receipt on inbox (received_at, state)',
  'create index outbox_waiting on outbox (created_at) where done_at is null',
] as const;

/** What is over is found by its age, and what took an order's place by its name, however much there is. */
const GROWTH_INDEXES = [
  'create index carts_by_change on carts (updated_at)',
  'create index inbox_done on inbox (done_at) where done_at is not null',
  'create index outbox_done on outbox (done_at) where done_at is not null',
  'create index orders_superseded on orders (superseded_by) where superseded_by is not null',
  "create index orders_to_forget on orders (created_at) where email <> ''",
] as const;

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
    .addColumn('locale', 'text', (column) => column.notNull())
    .addColumn('attention', 'text')
    .addColumn('superseded_by', 'text')
    .addColumn('paid_attempt_id', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('paid_at', 'bigint')
    .addUniqueConstraint('orders_one_per_cart_version', ['cart_id', 'cart_version'])
    .execute();
  await db.schema.createIndex('orders_by_successor').on('orders').column('superseded_by').execute();
  await db.schema
    .createTable('order_lines')
    .addColumn('order_id', 'text', (column) => column.notNull().references('orders.id'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('product_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('unit_price', 'bigint', (column) => column.notNull())
    .addColumn('quantity', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('order_lines_key', ['order_id', 'position'])
    .execute();
}

async function createAttempts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('attempts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('order_id', 'text', (column) => column.notNull().references('orders.id'))
    .addColumn('ordinal', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('live', 'integer')
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('service_id', 'text', (column) => column.unique())
    .addColumn('redirect_url', 'text')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('claimed_until', 'bigint', (column) => column.notNull())
    .addColumn('checked_at', 'bigint', (column) => column.notNull())
    .addColumn('next_check_at', 'bigint', (column) => column.notNull())
    .addColumn('checks', 'integer', (column) => column.notNull())
    .addColumn('words', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('attempts_ordinal', ['order_id', 'ordinal'])
    .execute();
  await sql`create unique index attempts_one_live on attempts (order_id) where live = 1`.execute(db);
  await sql`create index attempts_due on attempts (next_check_at) where state in ('creating', 'open', 'superseded', 'held')`.execute(
    db,
  );
  await db.schema.createIndex('attempts_by_reference').on('attempts').column('reference').execute();
}

async function createHistory(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('order_events')
    .addColumn('id', ...countingKey(db))
    .addColumn('order_id', 'text', (column) => column.notNull().references('orders.id'))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('order_events_by_order')
    .on('order_events')
    .columns(['order_id', 'id'])
    .execute();
  await db.schema
    .createTable('fulfilments')
    .addColumn('order_id', 'text', (column) => column.primaryKey().references('orders.id'))
    .addColumn('attempt_id', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
}

async function createQueues(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('inbox')
    .addColumn('id', ...countingKey(db))
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
  await sql`create index inbox_due on inbox (next_at) where state = 'new'`.execute(db);
  await db.schema
    .createTable('outbox')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('order_id', 'text', (column) => column.notNull().references('orders.id'))
    .addColumn('effect', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('next_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('done_at', 'bigint')
    .addColumn('last_fault', 'text')
    .execute();
  await sql`create index outbox_due on outbox (next_at) where done_at is null`.execute(db);
}

/** The columns are those that the rate limiter writes; only PostgreSQL needs them, both have them. */
async function createLimits(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('attempt_limits')
    .addColumn('key', 'varchar(255)', (column) => column.primaryKey())
    .addColumn('points', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('expire', 'bigint')
    .execute();
}

/** A primary key that counts up by itself, as each database spells it. */
function countingKey(
  db: Kysely<unknown>,
): ['bigserial' | 'integer', (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder] {
  return isPostgres(db)
    ? ['bigserial', (column) => column.primaryKey()]
    : ['integer', (column) => column.primaryKey().autoIncrement()];
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('sid', 'text', (column) => column.primaryKey())
    .addColumn('data', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sessions_by_expiry').on('sessions').column('expires_at').execute();
}
