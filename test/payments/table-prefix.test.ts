import { expect, test } from '@jest/globals';
import type { PaymentTables } from '@tianguis/payments';
import { createPayments, createPaymentTables, readPaymentSettings } from '@tianguis/payments';
import { findHistory } from '@tianguis/payments/back-office';
import { jobBacklogs, orderBacklogs, waitingWebhooks } from '@tianguis/payments/operations';
import { type Kysely, sql } from 'kysely';
import type { DatabaseOf } from '../../packages/payments/src/database/database.js';
import { deleteExpired } from '../../packages/payments/src/database/expired-rows.js';
import { withoutTablePrefix, withTablePrefix } from '../../packages/payments/src/database/table-prefix.js';
import * as attempts from '../../packages/payments/src/store/attempts.js';
import { assertPaymentTables } from '../../packages/payments/src/store/check-tables.js';
import type { Transaction } from '../../packages/payments/src/store/database.js';
import { EXPIRING_PAYMENT_ROWS } from '../../packages/payments/src/store/expired-rows.js';
import { finishWebhook, leaseWebhooks, storeWebhook } from '../../packages/payments/src/store/inbox.js';
import * as orders from '../../packages/payments/src/store/orders.js';
import { finishJob, leaseJobs, queueJob, requeueJob } from '../../packages/payments/src/store/outbox.js';
import * as refunds from '../../packages/payments/src/store/refunds.js';
import { PAYMENT_TABLES } from '../../packages/payments/src/store/table-sql.js';
import type { Schema } from '../../src/db/schema.js';
import { attemptRow, orderRow, refundRow } from '../support/rows.js';
import { openTestDatabase } from '../support/test-database.js';

/** Tables of another program, with the names of three of the payments' tables. */
const OWN_TABLES = [
  'create table orders (id integer primary key, state integer, total text)',
  'create table outbox (id integer primary key, mail text)',
  'create table refunds (id integer primary key, amount text)',
  "insert into orders values (1, 3, '12.50')",
  "insert into outbox values (1, 'eva@example.com')",
  "insert into refunds values (1, '2.50')",
];

async function openWithOwnTables() {
  const database = await openTestDatabase({ migrated: false });
  for (const statement of OWN_TABLES) await sql.raw(statement).execute(database.queries);
  await createPaymentTables(database.queries, { tablePrefix: 'pay_' });
  const db = withTablePrefix(database.db as DatabaseOf<Schema>, 'pay_', PAYMENT_TABLES);
  return Object.assign(database, { prefixed: db, payments: db.queries });
}

const ownRows = async (queries: Kysely<Schema>) => {
  const read = async (table: string) => (await sql`select * from ${sql.table(table)}`.execute(queries)).rows;
  return [await read('orders'), await read('outbox'), await read('refunds')];
};

/** Returns the row of an order with the columns of the payments. */
function payableOrder(change: Parameters<typeof orderRow>[0]): PaymentTables['orders'] {
  const { id, number, token, state, version, total, currency, createdAt, updatedAt } = orderRow(change);
  const { reviewReason, supersededBy, payableUntil, paidAttemptId, paidAt, confirmedAt } = orderRow(change);
  const times = { payableUntil, paidAt, confirmedAt, createdAt, updatedAt };
  return { id, number, token, state, version, total, currency, reviewReason, supersededBy, paidAttemptId, ...times };
}

test('the payments run on tables with a prefix, beside orders, an outbox and refunds of another shape', async () => {
  await using database = await openWithOwnTables();
  const { payments, prefixed } = database;
  const before = await ownRows(database.queries);
  const lease = { at: 10, leaseUntil: 20, limit: 5 };

  await assertPaymentTables(payments, { tablePrefix: 'pay_' });
  const first = payableOrder({ state: 'outcome_unknown', supersededBy: 'B', number: 'TG-1' });
  const second = payableOrder({ id: 'B', state: 'created' });
  await (payments as unknown as Kysely<PaymentTables>).insertInto('orders').values([first, second]).execute();
  await prefixed.transaction(async (tx) => {
    const order = await orders.lockOrder(tx, 'B');
    await orders.updateOrderState(tx, order, { to: 'pending', at: 5 });
    await orders.recordEvent(tx, { orderId: 'B', at: 5, kind: 'pending', detail: {} });
  });
  const attempt = await attempts.insertAttempt(payments, attemptRow(first.id, { gatewayId: 'G', reference: 'TG-1' }));
  await attempts.putAttempt(payments, attempt.id, { state: 'open', at: 6 });
  await queueJob(payments, { key: 'receipt:B', orderId: 'B', job: 'receipt', at: 1 });
  await storeWebhook(payments, { hash: 'h', body: '{}', event: null, at: 1 });
  const copies = await storeWebhook(payments, { hash: 'h', body: '{}', event: null, at: 2 });
  const refund = refundRow(first.id, { attemptId: attempt.id, id: 'R', state: 'sending' });
  const { gatewayRefundId, gatewayStatus, ...sent } = refund;
  await refunds.insertRefund(payments, sent);

  expect(copies).toBe(2);
  expect(await payments.selectFrom('orders').selectAll().where(orders.IN_REVIEW).execute()).toMatchObject([
    { id: first.id },
  ]);
  expect(await orders.isBlockedByReplaced(payments, 'B')).toBe(true);
  expect(await orders.findOtherPaidOrder(payments, await orders.lockOrder(payments, 'B'))).toBeUndefined();
  expect(await orders.findHistory(payments, 'B')).toMatchObject([{ kind: 'pending' }]);
  expect(await attempts.findAttemptsByReference(payments, ['TG-1'])).toHaveLength(1);
  expect(await attempts.findAttemptAndConflict(payments, 'x', 'G')).toMatchObject({ isTaken: true });
  expect(await attempts.leaseDueAttempts(payments, 'live', lease)).toHaveLength(1);
  expect([...(await orderBacklogs(payments, ['pending'], 5))]).toMatchObject([['pending', { count: 1 }]]);
  expect([...(await jobBacklogs(payments, 5)).keys()]).toEqual(['receipt']);
  expect(await waitingWebhooks(payments).execute()).toEqual([{ at: 2 }]);
  expect(await refunds.findRefunds(payments, first.id)).toMatchObject([{ id: 'R' }]);
  expect(await refunds.findRefundInFlight(payments, 'G')).toMatchObject({ id: 'R' });
  await refunds.updateRefund(payments, 'R', { state: 'succeeded' });
  expect([...(await refunds.findRefundedOrders(payments, [{ ...first, paidAttemptId: attempt.id }]))]).toEqual([
    [first.id, 'partial'],
  ]);
  for (const webhook of await leaseWebhooks(payments, lease))
    await finishWebhook(payments, webhook, { state: 'done', tries: 1, nextAt: 5, at: 5 });
  for (const job of await leaseJobs(payments, ['receipt'], lease)) await finishJob(payments, job.key, 5);
  expect(await requeueJob(payments, { key: 'receipt:B', orderId: 'B', job: 'receipt', at: 9 })).toBe(true);
  expect(await deleteExpired(payments, EXPIRING_PAYMENT_ROWS.webhooks, { at: 1e12, limit: 5 })).toBe(1);
  expect(await ownRows(database.queries)).toEqual(before);
});

test('with a prefix, an alias with the name of a table stays, and raw SQL gets the table with its prefix', async () => {
  await using database = await openWithOwnTables();
  const { payments } = database;
  const compiled = (query: { compile(): { readonly sql: string } }) => query.compile().sql;

  const aliased = payments.selectFrom('products as orders').innerJoin('attempts as a', 'a.orderId', 'orders.id');
  expect(compiled(aliased.select('orders.id'))).toBe(
    'select "orders"."id" from "products" as "orders" inner join "pay_attempts" as "a" on "a"."order_id" = "orders"."id"',
  );
  expect(compiled(payments.withSchema('other').selectFrom('orders').select('orders.id'))).toBe(
    'select "other"."orders"."id" from "other"."orders"',
  );
  const counted = payments.selectNoFrom(sql<number>`(select count(*) from ${sql.table('orderEvents')})`.as('count'));
  expect(compiled(counted)).toBe('select (select count(*) from "pay_order_events") as "count"');
});

test('with a prefix, statements that could reach the tables of the other program are refused', async () => {
  await using database = await openWithOwnTables();
  const { payments } = database;

  await expect(payments.schema.dropTable('orders').execute()).rejects.toThrow(/schema statements/);
  await expect(payments.schema.alterTable('outbox').addColumn('x', 'text').execute()).rejects.toThrow(/schema/);
  const named = payments.with('refunds', (db) => db.selectFrom('carts').select('id')).selectFrom('refunds');
  await expect(named.selectAll().execute()).rejects.toThrow(/common table expression/);
});

test('a transaction with a prefix runs its hooks after the commit, and its host reads and writes its own tables', async () => {
  await using database = await openWithOwnTables();
  const commits: string[] = [];

  await database.prefixed.transaction(async (tx) => {
    tx.onCommit(() => commits.push('payments'));
    await storeWebhook(tx, { hash: 'h', body: '{}', event: null, at: 1 });
    const host = withoutTablePrefix(tx);
    host.onCommit(() => commits.push('host'));
    await sql`update ${sql.table('orders')} set state = 4`.execute(host);
    expect(await host.selectFrom('orders').select('total').execute()).toEqual([{ total: '12.50' }]);
  });
  const failed = database.prefixed.transaction(async (tx) => {
    await sql`update ${sql.table('orders')} set state = 5`.execute(withoutTablePrefix(tx));
    throw new Error('the host failed');
  });

  await expect(failed).rejects.toThrow('the host failed');
  expect(commits).toEqual(['payments', 'host']);
  expect((await ownRows(database.queries))[0]).toEqual([{ id: 1, state: 4, total: '12.50' }]);
});

test('a host of prefixed tables queues jobs of the payments in its own transaction, and finds its orders as they are', async () => {
  await using database = await openWithOwnTables();
  const seen: unknown[] = [];
  const settings = readPaymentSettings({ PUBLIC_URL: 'http://localhost:1' });
  if (!settings.ok) throw new Error('no settings');
  await using payments = createPayments({
    ...settings,
    database: database.db as unknown as DatabaseOf<PaymentTables>,
    tablePrefix: 'pay_',
    log: { info() {}, warn() {}, error() {} },
    host: {
      describe: async (tx) => {
        seen.push(await sql`select total from ${sql.table('orders')}`.execute(tx).then(({ rows }) => rows));
        throw new Error('seen');
      },
      orderPath: () => '/',
    },
  });
  const order = payableOrder({ id: 'P', payableUntil: Date.now() + 60_000 });
  await payments.context.db.queries.insertInto('orders').values(order).execute();

  await expect(payments.startHosted('P')).rejects.toThrow('seen');
  await database.db.transaction(async (tx) => {
    const own = tx as unknown as Transaction;
    await payments.queueJob(own, { key: 'receipt:P', orderId: 'P', job: 'receipt', at: 1 });
    await payments.recordEvent(own, { orderId: 'P', at: 1, kind: 'noted', detail: {} });
  });
  await payments.assertTables();

  expect(seen).toEqual([[{ total: '12.50' }]]);
  expect((await findHistory(payments.context.db.queries, 'P')).map(({ kind }) => kind)).toEqual(['noted']);
  expect(await ownRows(database.queries)).toMatchObject([[{ id: 1 }], [{ id: 1 }], [{ id: 1 }]]);
});
