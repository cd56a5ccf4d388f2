import { expect, test } from '@jest/globals';
import { patchOrder } from '../../../packages/payments/src/store/orders.js';
import { plainName } from '../../../src/shop/rules/search-name.js';
import { insertFulfillment } from '../../../src/tables/fulfillments.js';
import { findOrder, insertOrder, type Order, patchDetails } from '../../../src/tables/orders.js';
import type { OrdersTable } from '../../../src/tables/schema.js';
import { searchOrders } from '../../../src/tables/search-orders.js';
import { numbers } from '../../support/crowd.js';
import { LINE, orderRow } from '../../support/rows.js';
import { openSharedDatabase } from '../../support/test-database.js';

const { queries } = await openSharedDatabase();

async function storeOrders(changes: readonly Partial<OrdersTable>[]): Promise<Order[]> {
  const orders = changes.map((change) => orderRow(change));
  for (const order of orders) await insertOrder(queries, order, [LINE]);
  return orders;
}

const ids = (orders: readonly Order[]) => orders.map(({ id }) => id);

test('a search of orders by the beginning of any words of a name ignores case and accents, and takes wildcards as text', async () => {
  const orders = await storeOrders([
    { firstName: 'María José', lastName: 'Núñez O’Brien', createdAt: 10 },
    { firstName: 'Ana', lastName: 'Marín', createdAt: 20 },
    { firstName: 'MARIO', lastName: 'Ruiz', createdAt: 30, state: 'paid' },
    { firstName: '100% Percy_X', lastName: 'Anaya', createdAt: 40 },
    { firstName: '', lastName: '', email: '', createdAt: 50 },
    { firstName: 'Mar', lastName: 'Marina', createdAt: 60 },
  ]);
  const CASES: readonly (readonly [string, readonly number[]])[] = [
    ['mar', [5, 2, 1, 0]],
    ['  MARÍ  ', [5, 2, 1, 0]],
    ['maria jose nunez', [0]],
    ['Núñez o’brien', [0]],
    ['nunez o', [0]],
    ['jose', [0]],
    ['obrien', []],
    ['brien', [0]],
    ['nunez jose', [0]],
    ['jo mar', [0]],
    ['o m', []],
    ['jose ruiz', []],
    ['ana', [3, 1]],
    ['ana mar', [1]],
    ['mar%', [5, 2, 1, 0]],
    ['m_r', []],
    ['%%%', []],
    ['100% per', [3]],
    ['percy_x', [3]],
    ['x'.repeat(10_000), []],
  ];

  for (const [typed, expected] of CASES) {
    const name = plainName(typed);
    const found = name === '' ? [] : await searchOrders(queries, { filter: { name }, limit: 9 });
    expect([typed, ids(found)]).toEqual([typed, expected.map((index) => orders[index]?.id)]);
  }
  const paid = await searchOrders(queries, { filter: { name: 'mar', state: 'paid' }, limit: 9 });
  expect(ids(paid)).toEqual([orders[2]?.id]);
});

test('pages of a search by name list every order once, forward and backward, and also under a corrected name', async () => {
  const stored = await storeOrders(
    numbers(12).map((index) => ({
      createdAt: index % 4,
      ...(index % 3 === 0 && { firstName: 'Rubén' }),
      ...(index % 3 === 1 && { lastName: 'Rubio', firstName: 'Rubén' }),
      ...(index % 3 === 2 && { lastName: 'Rubio' }),
    })),
  );
  const corrected = { firstName: 'Ana', lastName: 'Rubí' };
  await patchDetails(queries, stored[0] ?? orderRow(), { at: 9, patch: corrected });
  await patchOrder(queries, stored[1] ?? orderRow(), { at: 9, patch: { reviewReason: 'overdue' } });
  const filter = { name: 'rub' };

  const forward: Order[] = [];
  for (let last: Order | undefined; ; last = forward.at(-1)) {
    const cursor = last && { cursor: { side: 'after' as const, order: last } };
    const page = await searchOrders(queries, { filter, limit: 5, ...cursor });
    if (page.length === 0) break;
    forward.push(...page);
  }
  const last = forward.at(-1) ?? orderRow();
  const backward = await searchOrders(queries, { filter, limit: 5, cursor: { side: 'before', order: last } });

  expect(new Set(ids(forward))).toEqual(new Set(ids(stored)));
  expect(forward).toHaveLength(12);
  expect(ids(backward)).toEqual(ids(forward.slice(6, 11)));
  expect(await findOrder(queries, stored[0]?.id ?? '')).toMatchObject({ searchName: 'ana rubi' });
});

test('a search of orders to ship lists paid orders in preparation by the time of confirmation, page by page', async () => {
  const orders = await storeOrders(
    // The gateway's times of payment have another order.
    [50, 40, 30, 20, 10].map((at, index) => ({ state: 'paid', createdAt: index, paidAt: index, confirmedAt: at })),
  );
  for (const { id: orderId, confirmedAt } of orders)
    await insertFulfillment(queries, { orderId, attemptId: 'a', at: confirmedAt ?? 0, stockTaken: 1 });
  const [first, second, third, fourth, last] = orders;
  await patchOrder(queries, third ?? orderRow(), { at: 9, patch: { reviewReason: 'second_payment' } });
  const shipped = queries.updateTable('fulfillments').set({ state: 'shipped' });
  await shipped.where('orderId', '=', last?.id ?? '').execute();
  const filter = { fulfillment: 'to_ship' } as const;

  const pages = [
    await searchOrders(queries, { filter, limit: 9 }),
    await searchOrders(queries, { filter, limit: 9, cursor: { side: 'after', order: second ?? orderRow() } }),
    await searchOrders(queries, {
      filter,
      limit: 1,
      cursor: { side: 'before', order: fourth ?? orderRow() },
    }),
    await searchOrders(queries, { filter: { ...filter, from: 30, until: 50 }, limit: 9 }),
  ];

  expect(pages.map((page) => ids(page))).toEqual(
    [[first, second, fourth], [fourth], [second], [second]].map((page) => page.map((order) => order?.id)),
  );
});

test('pages of a search by a word that a name has several times list every order once', async () => {
  const orders = await storeOrders(
    numbers(7).map((index) => ({ firstName: 'Eva Maria Mariana', lastName: 'Ruiz Marin Marquez', createdAt: index })),
  );
  const filter = { name: 'mar' };

  const first = await searchOrders(queries, { filter, limit: 4 });
  const cursor = { side: 'after', order: first.at(-1) ?? orderRow() } as const;
  const second = await searchOrders(queries, { filter, limit: 4, cursor });

  expect(ids([...first, ...second])).toEqual(ids(orders).toReversed());
});

test('an order is found by its telephone, and by a corrected name instead of the former one', async () => {
  const [order] = await storeOrders([{ firstName: 'Ana Sofía', phone: '5512345678' }, { phone: '' }]);
  await patchDetails(queries, order ?? orderRow(), { at: 9, patch: { firstName: 'Ana Citlali' } });

  const found = [{ phone: '5512345678' }, { phone: '+15512345678' }, { name: 'citla' }, { name: 'sofia' }].map(
    async (filter) => ids(await searchOrders(queries, { filter, limit: 9 })),
  );

  expect(await Promise.all(found)).toEqual([[order?.id], [], [order?.id], []]);
});
