/** The SQL of the payments' tables. */
import { createLimitTableSql } from '../database/limits.js';
import type { PaymentTables } from './tables.js';

export type SqlDialect = 'sqlite' | 'postgres';

export interface TableOptions {
  /** Begins the name of each table, index and constraint, so that they stand beside tables of the host. Default: none. */
  readonly tablePrefix?: string | undefined;
}

type TableName = keyof PaymentTables;

/** `{p}` is the prefix, `{counter}` a number for each row: numbers of deleted rows are not used again. */
const COLUMNS = {
  orders: {
    id: 'text primary key',
    number: 'text not null unique',
    token: 'text not null unique',
    state: 'text not null',
    version: 'integer not null',
    total: 'bigint not null',
    currency: 'text not null',
    reviewReason: 'text',
    supersededBy: 'text',
    payableUntil: 'bigint',
    paidAttemptId: 'text',
    paidAt: 'bigint',
    confirmedAt: 'bigint',
    createdAt: 'bigint not null',
    updatedAt: 'bigint not null',
  },
  attempts: {
    id: 'text primary key',
    orderId: 'text not null references {p}orders (id)',
    ordinal: 'integer not null',
    flow: 'text not null',
    state: 'text not null',
    live: 'integer',
    environment: 'text not null',
    keyFingerprint: "text not null default ''",
    reference: 'text not null',
    amount: 'bigint not null',
    confirmedAmount: 'bigint',
    gatewayId: 'text unique',
    idSource: 'text',
    transactionId: 'text',
    paymentId: 'text',
    provider: 'text',
    redirectUrl: 'text',
    offerEndsAt: 'bigint not null',
    leasedUntil: 'bigint not null',
    checkedAt: 'bigint not null',
    nextCheckAt: 'bigint not null',
    checks: 'integer not null',
    gatewayStatus: 'text',
    foundAt: 'bigint',
    notFoundAt: 'bigint',
    neverCompletedAt: 'bigint',
    returnedAt: 'bigint',
    abandonedAt: 'bigint',
    method: 'text',
    note: 'text',
    createdAt: 'bigint not null',
    updatedAt: 'bigint not null',
  },
  refunds: {
    id: 'text primary key',
    orderId: 'text not null references {p}orders (id)',
    attemptId: 'text not null references {p}attempts (id)',
    kind: 'text not null',
    state: 'text not null',
    inFlight: 'integer',
    amount: 'bigint not null check (amount > 0)',
    reason: 'text not null',
    returnsStock: 'integer not null',
    leasedUntil: 'bigint not null',
    gatewayRefundId: 'text',
    gatewayStatus: 'text',
    refundedOn: 'text',
    by: 'text not null',
    createdAt: 'bigint not null',
    updatedAt: 'bigint not null',
  },
  orderEvents: {
    id: '{counter}',
    orderId: 'text not null references {p}orders (id)',
    at: 'bigint not null',
    kind: 'text not null',
    detail: 'text not null',
  },
  inbox: {
    id: '{counter}',
    hash: 'text not null unique',
    body: 'text not null',
    event: 'text',
    state: 'text not null',
    tries: 'integer not null',
    copies: 'integer not null',
    receivedAt: 'bigint not null',
    nextAt: 'bigint not null',
    doneAt: 'bigint',
  },
  outbox: {
    key: 'text primary key',
    orderId: 'text not null references {p}orders (id)',
    job: 'text not null',
    tries: 'integer not null',
    nextAt: 'bigint not null',
    createdAt: 'bigint not null',
    doneAt: 'bigint',
    lastError: 'text',
  },
} as const satisfies { readonly [T in TableName]: Readonly<Record<keyof PaymentTables[T], string>> };

/** The names of the payments' tables in the database, without a prefix. */
export const PAYMENT_TABLES: readonly string[] = Object.keys(COLUMNS).map(snakeCase);

const CONSTRAINTS: Partial<Record<TableName, string>> = {
  attempts: 'constraint {p}attempts_ordinal unique (order_id, ordinal)',
};

/** Each is `index name on table (columns)`. Of two indexes that fit, SQLite uses the later one. */
const INDEXES = [
  'index {p}orders_by_state on {p}orders (state, created_at, id)',
  "index {p}orders_in_review on {p}orders (updated_at) where review_reason is not null or state = 'outcome_unknown'",
  "index {p}orders_in_review_by_age on {p}orders (created_at, id) where review_reason is not null or state = 'outcome_unknown'",
  'index {p}orders_paid on {p}orders (paid_at, created_at, total) where paid_at is not null',
  'index {p}orders_superseded on {p}orders (superseded_by) where superseded_by is not null',
  'index {p}orders_payable on {p}orders (payable_until) where payable_until is not null',

  // At most one live attempt per order.
  'unique index {p}attempts_one_live on {p}attempts (order_id) where live = 1',
  'index {p}attempts_by_reference on {p}attempts (reference)',
  'index {p}attempts_by_transaction_id on {p}attempts (transaction_id) where transaction_id is not null',
  'index {p}attempts_by_payment_id on {p}attempts (payment_id) where payment_id is not null',
  'index {p}attempts_never_completed on {p}attempts (never_completed_at) where never_completed_at is not null',
  "index {p}attempts_due on {p}attempts (next_check_at) where state in ('creating', 'open')",
  "index {p}attempts_watched on {p}attempts (next_check_at) where state in ('superseded', 'review')",

  "index {p}refunds_blocking on {p}refunds (attempt_id) where in_flight = 1 or kind = 'chargeback'",
  // At most one refund per attempt whose outcome is not known.
  'unique index {p}refunds_one_in_flight on {p}refunds (attempt_id) where in_flight = 1',
  'index {p}refunds_by_order on {p}refunds (order_id, id)',
  'unique index {p}refunds_by_gateway_id on {p}refunds (gateway_refund_id) where gateway_refund_id is not null',
  "index {p}refunds_sending on {p}refunds (leased_until) where state = 'sending'",
  'index {p}refunds_by_day on {p}refunds (refunded_on) where refunded_on is not null',

  'index {p}order_events_by_order on {p}order_events (order_id, id)',

  "index {p}inbox_due on {p}inbox (next_at) where state = 'new'",
  'index {p}inbox_done on {p}inbox (done_at) where done_at is not null',
  'index {p}inbox_by_receipt on {p}inbox (received_at, state)',

  'index {p}outbox_due on {p}outbox (next_at) where done_at is null',
  'index {p}outbox_waiting on {p}outbox (created_at) where done_at is null',
  'index {p}outbox_done on {p}outbox (done_at) where done_at is not null',
] as const;

const COUNTERS = {
  sqlite: 'integer primary key autoincrement',
  postgres: 'bigserial primary key',
} as const satisfies Readonly<Record<SqlDialect, string>>;

/** Columns that later migrations add. Each may be null. */
export const ADDED_COLUMNS = { attempts: ['method', 'note'] } as const;

export interface Column {
  readonly name: string;
  /** The SQL after the name. */
  readonly definition: string;
}

/** Returns the columns of each table, by its name in the database without the prefix. */
export function paymentColumns(dialect: SqlDialect, tablePrefix = ''): ReadonlyMap<string, readonly Column[]> {
  assertPrefix(tablePrefix);
  const columnsOf = (columns: Readonly<Record<string, string>>) =>
    Object.entries(columns).map(([name, definition]) => ({
      name: snakeCase(name),
      definition: definition.replace('{p}', tablePrefix).replace('{counter}', COUNTERS[dialect]),
    }));
  return new Map(Object.entries(COLUMNS).map(([table, columns]) => [snakeCase(table), columnsOf(columns)]));
}

/** Returns the statements that create what is missing, in order. Each changes nothing if its table or index exists. */
export function paymentTableStatements(dialect: SqlDialect, tablePrefix = ''): readonly string[] {
  const tables = [...paymentColumns(dialect, tablePrefix)].map(([table, columns]) => {
    const constraint = CONSTRAINTS[table as TableName];
    const lines = [
      ...columns.map(({ name, definition }) => `${name} ${definition}`),
      ...(constraint === undefined ? [] : [constraint.replace('{p}', tablePrefix)]),
    ];
    return `create table if not exists ${tablePrefix}${table} (\n  ${lines.join(',\n  ')}\n)`;
  });
  const indexes = INDEXES.map((index) => `create ${index.replace('index', 'index if not exists')}`);
  return [...tables, ...indexes.map((index) => index.replaceAll('{p}', tablePrefix))];
}

/**
 * Returns the payments' tables as SQL text, for a host with migrations of another tool. With PostgreSQL it contains the table
 * of the limits. Throws a `RangeError` for a prefix that is not a lower-case name of at most 20 letters.
 */
export function paymentTablesSql(dialect: SqlDialect, { tablePrefix = '' }: TableOptions = {}): string {
  const statements = paymentTableStatements(dialect, tablePrefix);
  const limits = dialect === 'postgres' ? [createLimitTableSql(tablePrefix)] : [];
  return [...statements, ...limits].map((statement) => `${statement};\n`).join('\n');
}

/** PostgreSQL cuts names after 63 letters. */
export function assertPrefix(prefix: string): void {
  if (!/^(?:[a-z][a-z0-9_]{0,19})?$/.test(prefix)) throw new RangeError(`not a prefix of tables: ${prefix}`);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
