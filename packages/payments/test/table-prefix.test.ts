import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { createPayments, createPaymentTables, type PaymentTables, type Started } from '@tianguis/payments';
import { jobBacklogs, orderBacklogs, waitingWebhooks } from '@tianguis/payments/operations';
import { centavos } from '@tianguis/payments/rules';
import { attemptRow, refundRow } from '@tianguis/payments/testing';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../src/tables/schema.js';
import { until } from '../../../test/support/crowd.js';
import { CARDS } from '../../../test/support/purchase.js';
import { orderRow } from '../../../test/support/rows.js';
import type { DatabaseOf } from '../src/database/database.js';
import { deleteExpired } from '../src/database/delete-expired-rows.js';
import { withoutTablePrefix, withTablePrefix } from '../src/database/table-prefix.js';
import { dayOf } from '../src/rules/mexico-day.js';
import * as attempts from '../src/store/attempts.js';
import { EXPIRING_PAYMENT_ROWS } from '../src/store/expiring-rows.js';
import { finishWebhook, leaseWebhooks, storeWebhook } from '../src/store/inbox.js';
import * as orders from '../src/store/orders.js';
import { finishJob, leaseJobs, queueJob, requeueJob } from '../src/store/outbox.js';
import * as refunds from '../src/store/refunds.js';
import { PAYMENT_TABLES } from '../src/store/table-sql.js';
import { insertOrder, openOwnTables, openPrefixedHost, ownOrder } from './prefixed-host.js';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const REFUND = { reason: 'broken', returnsGoods: false, refundedOn: '', by: 'ana' } as const;

/** The tables of the host, and queries for code that names those of the payments. */
async function openWithOwnTables() {
  const own = await openOwnTables();
  const prefixed = withTablePrefix(own.database as unknown as DatabaseOf<Schema>, PAYMENT_TABLES);
  return Object.assign(own, { prefixed, payments: prefixed.queries });
}

/** Returns the row of an order with the columns of the payments. */
function payableOrder(change: Parameters<typeof orderRow>[0]): PaymentTables['orders'] {
  const { id, number, token, state, version, total, currency, createdAt, updatedAt } = orderRow(change);
  const { reviewReason, supersededBy, payableUntil, paidAttemptId, paidAt, confirmedAt } = orderRow(change);
  const times = { payableUntil, paidAt, confirmedAt, createdAt, updatedAt };
  return { id, number, token, state, version, total, currency, reviewReason, supersededBy, paidAttemptId, ...times };
}

test('the payments run on tables with a prefix, beside tables of a host with the same names', async () => {
  await using database = await openWithOwnTables();
  const { payments, prefixed } = database;
  const before = await database.ownRows();
  const lease = { at: 10, leaseUntil: 20, limit: 5 };

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
  expect(await database.ownRows()).toEqual(before);
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
    await sql`update ${sql.table('orders')} set state = 'changed'`.execute(host);
    expect(await host.selectFrom('orders').select('total').execute()).toEqual([{ total: '12.50' }]);
  });
  const failed = database.prefixed.transaction(async (tx) => {
    await sql`update ${sql.table('orders')} set state = 'lost'`.execute(withoutTablePrefix(tx));
    throw new Error('the host failed');
  });

  await expect(failed).rejects.toThrow('the host failed');
  expect(commits).toEqual(['payments', 'host']);
  expect((await database.ownRows())['orders']).toMatchObject([{ id: 1, state: 'changed', total: '12.50' }]);
});

/** Returns the session whose hosted page a start opened. */
const sessionOf = (started: Started<unknown>) => ('url' in started ? (started.url.split('/').at(-1) ?? '') : '');

test('a card payment with 3D Secure and its refund leave tables of the host with the same names as they are', async () => {
  await using host = await openPrefixedHost();
  const { payments, control } = host;
  await host.place(70);
  const before = await host.ownRows();

  const started = await payments.startCard('70', control.tokenizeCard(CARDS.challenged));
  control.approve(control.payments()[0]?.id ?? '');
  const { token } = await host.order('70');
  const path = await host.comeBack(token);
  const { state, version } = await host.order('70');
  const attempts = await payments.orders.attempts('70');
  const money = { orderId: '70', attemptId: attempts[0]?.id ?? '', amount: centavos(24_900), version } as const;
  const result = await payments.refunds.refund({ ...money, ...REFUND, way: 'gateway' });

  expect([started.kind, path, state, attempts.length]).toEqual(['redirect', `/orders/${token}`, 'paid', 1]);
  expect(result).toMatchObject({ kind: 'done', refund: { state: 'succeeded' }, order: { id: '70' } });
  expect(await payments.orders.refunds('70')).toMatchObject([{ state: 'succeeded', amount: 24_900 }]);
  expect(host.seen).toEqual(['paid 70 249.00 paid', 'returned 70']);
  expect(await host.ownRows()).toEqual(before);
});

test('hosted pages, webhooks and a late payment beside tables with the same names are read and written with the prefix', async () => {
  await using host = await openPrefixedHost();
  const { payments, database, control, clock } = host;
  for (const id of [70, 71]) await host.place(id);
  const before = await host.ownRows();

  const earlier = sessionOf(await payments.startHosted('70'));
  await database.transaction(async (tx) => {
    const [replaced, successor] = [await payments.orders.lock(tx, '70'), await payments.orders.lock(tx, '71')];
    await payments.replaceOrder(tx, replaced, successor);
    await payments.recordEvent(tx, { orderId: '71', at: clock.now(), kind: 'noted', detail: {} });
    expect(await payments.orders.history('71', tx)).toMatchObject([{ kind: 'noted' }]);
    expect(await payments.orders.attempts('70', tx)).toMatchObject([{ state: 'superseded' }]);
    expect([await payments.orders.refunds('70', tx), (await payments.orders.find('70', tx))?.supersededBy]).toEqual([
      [],
      '71',
    ]);
  });
  const later = sessionOf(await payments.startHosted('71'));
  await using _worker = payments.startWorker();
  control.paySession(later);
  await until(() => host.seen.includes('receipt 71'));
  control.paySession(earlier);
  await until(async () => (await host.order('70')).reviewReason === 'second_payment');

  const { token } = await host.order('71');
  expect(await payments.orders.findByToken(`${token}).`)).toMatchObject({ id: '71', state: 'paid' });
  expect(await host.ownRows()).toEqual(before);
  expect(host.faults).toEqual([]);
});

test('decisions of a person beside tables with the same names are written with the prefix', async () => {
  await using host = await openPrefixedHost();
  const { payments, clock } = host;
  for (const id of [70, 71, 72]) await host.place(id);
  const before = await host.ownRows();
  const outside = { method: '01', paidOn: dayOf(clock.now()), note: '', by: 'ana', version: 1 };

  const results = [
    await payments.outside.record({ orderId: '70', ...outside }),
    await payments.cancel({ orderId: '71', version: 1, detail: {} }),
    await payments.replacement.replace({
      orderId: '72',
      by: 'ana',
      place: async (tx, { id }) => {
        await insertOrder(tx, Number(id) + 1);
        return payments.orders.lock(tx, '73');
      },
    }),
  ];
  const { state, version } = await host.order('70');
  const [attempt] = await payments.orders.attempts('70');
  const money = { orderId: '70', attemptId: attempt?.id ?? '', amount: centavos(24_900), version } as const;
  const reversal = await payments.refunds.refund({ ...money, ...REFUND, way: 'reversal', refundedOn: outside.paidOn });

  expect(results).toMatchObject([{ kind: 'recorded' }, 'cancelled', { kind: 'replaced', order: { id: '73' } }]);
  expect([state, reversal.kind, (await host.order('72')).supersededBy]).toEqual(['paid', 'done', '73']);
  expect(await host.ownRows()).toEqual({ ...before, orders: [...(before['orders'] ?? []), ownOrder(73)] });
});

test('all loops, migrations run twice, and rows of 91 days leave tables with the same names as they are', async () => {
  await using host = await openPrefixedHost();
  const { payments, database, clock } = host;
  const { queries, transaction } = payments.context.db;
  for (const id of [70, 71]) await host.place(id);
  const before = await host.ownRows();
  const at = clock.now();
  await transaction(async (tx) => {
    const attempt = await attempts.insertAttempt(tx, attemptRow('70', { state: 'paid', gatewayId: 'G' }));
    const { gatewayRefundId: _id, gatewayStatus: _word, ...refund } = refundRow('70', { state: 'sending' });
    await refunds.insertRefund(tx, { ...refund, attemptId: attempt.id });
    await attempts.insertAttempt(tx, attemptRow('71', { state: 'creating', leasedUntil: 1 }));
    for (const job of ['receipt', 'unknown']) await queueJob(tx, { key: job, orderId: '70', job, at });
    await storeWebhook(tx, { hash: 'h', body: '{}', event: null, at });
  });
  const isDone = async () => {
    const [refund] = await payments.orders.refunds('70');
    const jobs = await queries.selectFrom('outbox').select(['doneAt', 'lastError']).orderBy('key').execute();
    const events = await queries.selectFrom('inbox').selectAll().where('state', '<>', 'new').execute();
    const [lost] = await payments.orders.attempts('71');
    const isRun = jobs[0]?.doneAt !== null && jobs[1]?.lastError === 'no_handler';
    return isRun && events.length === 1 && refund?.state === 'unknown' && lost?.state !== 'creating';
  };

  await using worker = payments.startWorker();
  await until(isDone);
  await worker[Symbol.asyncDispose]();
  clock.advance(91 * 24 * 60 * 60_000);
  await using _next = payments.startWorker();
  await until(async () => (await queries.selectFrom('inbox').select('id').execute()).length === 0);
  await until(async () => (await queries.selectFrom('outbox').select('key').execute()).length === 1);
  await database.migrate();
  await createPaymentTables(database.queries);
  await payments.assertTables();
  await payments.eraseEvents(['70']);

  expect(await host.ownRows()).toEqual(before);
});

test('figures for monitoring count rows of the payments, and none of a host with the same tables', async () => {
  await using host = await openPrefixedHost();
  const { queries } = host.database;
  await host.place(70);
  await host.payments.context.db.transaction(async (tx) => {
    await queueJob(tx, { key: 'receipt:70', orderId: '70', job: 'receipt', at: 5 });
    await storeWebhook(tx, { hash: 'h', body: '{}', event: null, at: 6 });
  });

  expect([...(await orderBacklogs(queries, ['created'], 5))]).toMatchObject([['created', { count: 1 }]]);
  expect([...(await jobBacklogs(queries, 5))]).toEqual([['receipt', { count: 1, oldestAt: 5 }]]);
  expect(await waitingWebhooks(queries).execute()).toEqual([{ at: 6 }]);
});

test('a table prefix for createPayments is refused with the function that takes it', async () => {
  await using own = await openOwnTables();
  const options = { database: own.database, tablePrefix: 'pay_' } as unknown as Parameters<typeof createPayments>[0];

  expect(() => createPayments(options)).toThrow('tablePrefix is an option of openPaymentDatabase');
});

test('a function that gets the queries of a host with a prefix throws before it reads or writes a table of the host', async () => {
  await using own = await openOwnTables();
  const { exports } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { readonly exports: object };
  const names = Object.keys(exports).filter((name) => !['./package.json', './testing'].includes(name));
  const entries: object[] = await Promise.all(names.map((name) => import(`@tianguis/payments${name.slice(1)}`)));
  const functions = entries.flatMap((entry) => Object.entries(entry) as [string, (...args: unknown[]) => unknown][]);
  const ofQueries = functions.filter(([, run]) => /^(?:async )?function\*? ?\w+\(queries\b/.test(String(run)));
  const answers = new Map<string, unknown>();
  const before = await own.ownRows();

  await own.database.transaction(async (tx) => {
    for (const [name, run] of ofQueries) {
      const answer = async () => {
        const result = await run(tx, [], {});
        return Symbol.asyncIterator in Object(result) ? (result as AsyncGenerator).next() : result;
      };
      answers.set(name, await answer().catch(String));
    }
  });

  expect(answers.size).toBeGreaterThan(20);
  const others = [...answers].filter(([, answer]) => !/have the prefix pay_/.test(String(answer)));
  // These read the tables of the payments.
  expect(new Set(others.map(([name]) => name))).toEqual(new Set(['jobBacklogs', 'orderBacklogs', 'waitingWebhooks']));
  expect(answers.get('lockOrder')).toMatch(/Call payments\.orders\.lock\.$/);
  expect(answers.get('findPayments')).toMatch(/This function is for a host without a prefix\.$/);
  expect(await own.ownRows()).toEqual(before);
});
