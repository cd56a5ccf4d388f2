import { describe, expect, test } from '@jest/globals';
import { finishWebhook, storeWebhook } from '../../src/db/inbox.js';
import { insertOrder, type Order } from '../../src/db/orders.js';
import { finishJob, queuePaidJobs } from '../../src/db/outbox.js';
import { countWebhooks, jobBacklog, orderBacklog } from '../../src/db/overview-counts.js';
import { paidIn, placedIn } from '../../src/db/sales.js';
import type { OrdersTable } from '../../src/db/schema.js';
import { searchOrders } from '../../src/db/search-orders.js';
import { centavos } from '../../src/domain/money.js';
import { LINE, orderRow } from '../support/rows.js';
import { openTestDatabase, type TestDatabase } from '../support/test-database.js';

const changes = async (
  place: TestDatabase,
  rows: readonly Partial<OrdersTable>[],
): Promise<readonly Order[]> => {
  const orders = rows.map((row) => orderRow(row));
  for (const order of orders) await insertOrder(place.db.queries, order, [LINE]);
  return orders;
};
const ids = (orders: readonly Order[]) => orders.map(({ id }) => id);

describe('a search of orders', () => {
  test('goes through all of them by key, there and back, though many share one moment', async () => {
    await using place = await openTestDatabase();
    const { queries } = place.db;
    await changes(
      place,
      Array.from({ length: 25 }, (_, nth) => ({ createdAt: nth < 20 ? 7 : nth })),
    );
    const all = await searchOrders(queries, { filter: {}, most: 100 });

    const there: Order[] = [];
    for (let last: Order | undefined; ; last = there.at(-1)) {
      const page = await searchOrders(queries, {
        filter: {},
        most: 4,
        ...(last && { place: { side: 'after', order: last } }),
      });
      if (page.length === 0) break;
      there.push(...page);
    }
    const back = await searchOrders(queries, {
      filter: {},
      most: 4,
      place: { side: 'before', order: all[10] ?? orderRow() },
    });

    expect(all).toHaveLength(25);
    expect(ids(there)).toEqual(ids(all));
    expect(ids(back)).toEqual(ids(all.slice(6, 10)));
  });

  test('keeps to every filter, alone and together', async () => {
    await using place = await openTestDatabase();
    const { queries } = place.db;
    const [eva, held, lost, paid] = await changes(place, [
      { email: 'Eva@Example.com', createdAt: 10 },
      { email: 'ana@example.com', createdAt: 20, state: 'review', reviewReason: 'other_amount' },
      { email: 'ana@example.com', createdAt: 30, state: 'outcome_unknown' },
      { email: 'eva@example.com', createdAt: 40, state: 'paid' },
    ]);
    const found = async (filter: Parameters<typeof searchOrders>[1]['filter']) =>
      ids(await searchOrders(queries, { filter, most: 9 }));

    expect(await found({ email: 'EVA@example.COM' })).toEqual([paid?.id, eva?.id]);
    expect(await found({ email: 'eva@example.com', state: 'paid' })).toEqual([paid?.id]);
    expect(await found({ email: 'eva@example' })).toEqual([]);
    expect(await found({ inReview: true })).toEqual([lost?.id, held?.id]);
    expect(await found({ inReview: true, state: 'review' })).toEqual([held?.id]);
    expect(await found({ from: 20, until: 40 })).toEqual([lost?.id, held?.id]);
    expect(await found({ state: 'paid', until: 40 })).toEqual([]);
  });
});

describe('the figures of the back office', () => {
  test('count what is unsettled no further than asked, and name the oldest', async () => {
    await using place = await openTestDatabase();
    const { queries } = place.db;
    await changes(place, [
      { state: 'pending', createdAt: 30 },
      { state: 'pending', createdAt: 20 },
      { state: 'review', createdAt: 10 },
      { state: 'paid', createdAt: 1 },
    ]);

    expect(await orderBacklog(queries, ['pending', 'review'], 9)).toEqual({ count: 3, oldestAt: 10 });
    expect(await orderBacklog(queries, ['pending', 'review'], 2)).toEqual({ count: 2, oldestAt: 10 });
    expect(await orderBacklog(queries, ['expired'], 9)).toEqual({ count: 0, oldestAt: null });
  });

  test('tell how many effects wait and since when, without those that are done', async () => {
    await using place = await openTestDatabase();
    const { queries } = place.db;
    const [first, second] = await changes(place, [{}, {}]);
    await queuePaidJobs(queries, first?.id ?? '', 5);
    await queuePaidJobs(queries, second?.id ?? '', 8);

    await finishJob(queries, `receipt:${first?.id}`, 9);
    const some = await jobBacklog(queries, 9);
    await finishJob(queries, `on_paid:${first?.id}`, 9);

    expect(some).toEqual({ count: 3, oldestAt: 5 });
    expect(await jobBacklog(queries, 9)).toEqual({ count: 2, oldestAt: 8 });
  });

  test('tell what the gateway sent lately, what fits no order, and what waits', async () => {
    await using place = await openTestDatabase();
    const { queries } = place.db;
    const empty = await countWebhooks(queries, { since: 0, most: 9 });
    for (const at of [1, 50, 60]) {
      await storeWebhook(queries, { hash: `${at}`, body: '{}', event: null, at });
    }
    const [old, lost] = await queries.selectFrom('inbox').selectAll().orderBy('receivedAt').execute();
    if (old) await finishWebhook(queries, old, { state: 'done', tries: 1, nextAt: 70, at: 70 });
    if (lost) await finishWebhook(queries, lost, { state: 'unmatched', tries: 1, nextAt: 70, at: 70 });

    const figures = await countWebhooks(queries, { since: 50, most: 9 });

    expect(empty).toEqual({ newestAt: null, kept: 0, unmatched: 0, failed: 0, waiting: 0 });
    expect(figures).toEqual({ newestAt: 60, kept: 2, unmatched: 1, failed: 0, waiting: 1 });
  });

  test('add up what was paid in a span by how long it took, and what was placed in it by state', async () => {
    await using place = await openTestDatabase();
    const { queries } = place.db;
    const minute = 60_000;
    await changes(place, [
      { state: 'paid', createdAt: 100, paidAt: 100 + 1_999, total: centavos(150) },
      { state: 'paid', createdAt: 200, paidAt: 200 + 1_000, total: centavos(250) },
      { state: 'paid', createdAt: 300, paidAt: 300 + 12 * minute + 7, total: centavos(1) },
      { state: 'paid', createdAt: 50 * minute, paidAt: 60 * minute, total: centavos(7) },
      { state: 'expired', createdAt: 400 },
    ]);

    expect(await paidIn(queries, { from: 0, until: 60 * minute })).toEqual([
      { seconds: 1, count: 2, total: 400 },
      { seconds: 720, count: 1, total: 1 },
    ]);
    expect(await placedIn(queries, { from: 100, until: 50 * minute })).toEqual(
      new Map([
        ['paid', 3],
        ['expired', 1],
      ]),
    );
  });
});
