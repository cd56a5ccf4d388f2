import { expect, test } from '@jest/globals';
import type { Queries } from '../../src/db/database.js';
import { insertOrder, type Order } from '../../src/db/orders.js';
import type { OrdersTable } from '../../src/db/schema.js';
import { type OrderFilter, searchOrders } from '../../src/db/search-orders.js';
import { numbers } from '../support/crowd.js';
import { LINE, orderRow } from '../support/rows.js';
import { openTestDatabase } from '../support/test-database.js';

async function storeOrders(queries: Queries, changes: readonly Partial<OrdersTable>[]): Promise<Order[]> {
  const orders = changes.map((change) => orderRow(change));
  for (const order of orders) await insertOrder(queries, order, [LINE]);
  return orders;
}

const ids = (orders: readonly Order[]) => orders.map(({ id }) => id);

test('pages of orders with equal creation times list every order once, forward and backward', async () => {
  await using database = await openTestDatabase();
  const { queries } = database.db;
  await storeOrders(
    queries,
    numbers(25).map((index) => ({ createdAt: index < 20 ? 7 : index })),
  );
  const all = await searchOrders(queries, { filter: {}, most: 100 });

  const forward: Order[] = [];
  for (let last: Order | undefined; ; last = forward.at(-1)) {
    const cursor = last && { cursor: { side: 'after' as const, order: last } };
    const page = await searchOrders(queries, { filter: {}, most: 4, ...cursor });
    if (page.length === 0) break;
    forward.push(...page);
  }
  const cursor = { side: 'before', order: all[10] ?? orderRow() } as const;
  const backward = await searchOrders(queries, { filter: {}, most: 4, cursor });

  expect(all).toHaveLength(25);
  expect(ids(forward)).toEqual(ids(all));
  expect(ids(backward)).toEqual(ids(all.slice(6, 10)));
});

test('a search of orders applies each filter, alone and combined', async () => {
  await using database = await openTestDatabase();
  const { queries } = database.db;
  const orders = await storeOrders(queries, [
    { email: 'Eva@Example.com', createdAt: 10 },
    { email: 'ana@example.com', createdAt: 20, state: 'review', reviewReason: 'other_amount' },
    { email: 'ana@example.com', createdAt: 30, state: 'outcome_unknown' },
    { email: 'eva@example.com', createdAt: 40, state: 'paid' },
  ]);
  const CASES: readonly (readonly [OrderFilter, readonly number[]])[] = [
    [{ email: 'EVA@example.COM' }, [3, 0]],
    [{ email: 'eva@example.com', state: 'paid' }, [3]],
    [{ email: 'eva@example' }, []],
    [{ inReview: true }, [2, 1]],
    [{ inReview: true, state: 'review' }, [1]],
    [{ from: 20, until: 40 }, [2, 1]],
    [{ state: 'paid', until: 40 }, []],
  ];

  for (const [filter, expected] of CASES) {
    const found = await searchOrders(queries, { filter, most: 9 });
    expect([filter, ids(found)]).toEqual([filter, expected.map((index) => orders[index]?.id)]);
  }
});
