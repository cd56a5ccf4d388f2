import { expect, test } from '@jest/globals';
import { plansOf, READS_A_TABLE } from '../../../../test/support/query-plans.js';
import { LINE, orderRow } from '../../../../test/support/rows.js';
import { openSharedDatabase } from '../../../../test/support/test-database.js';
import { findBoughtAgain } from '../../../tables/bought-again.js';
import { insertOrder } from '../../../tables/orders.js';
import { leaseOrdersToRemind, mayBeBoughtAgain } from '../repository.js';

const { db } = await openSharedDatabase();

test('the search for due reminders uses its index and reads no table', async () => {
  const lease = { at: 5, leaseUntil: 9, limit: 10 };
  const [plan, ...others] = await plansOf(db, (queries) => leaseOrdersToRemind(queries, lease));

  expect(others).toEqual([]);
  expect(plan).toMatch('orders_to_remind');
  expect(plan).not.toMatch(READS_A_TABLE);
});

test('the search for orders of the same customer reads them by its index', async () => {
  const order = orderRow();
  const other = { ...order, ...orderRow({ state: 'paid' }) };
  await insertOrder(db.queries, other, [LINE]);
  const own = { ids: [other.id], isOwn: () => true };

  const byCustomer = await plansOf(db, (queries) => mayBeBoughtAgain(queries, order));
  const [byIds = ''] = await plansOf(db, (queries) => findBoughtAgain(queries, order, own));

  expect(byCustomer).toHaveLength(2);
  expect(byCustomer[0]).toMatch('orders_by_email');
  expect(byIds).toMatch(/sqlite_autoindex_orders_1|orders_pkey/);
  for (const plan of [...byCustomer, byIds]) expect(plan).not.toMatch(READS_A_TABLE);
});
