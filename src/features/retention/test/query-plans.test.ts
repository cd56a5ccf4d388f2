import { expect, test } from '@jest/globals';
import { plansOf, READS_A_TABLE, type RunQueries } from '../../../../test/support/query-plans.js';
import { openSharedDatabase } from '../../../../test/support/test-database.js';
import { findOrderIdsOf, lockOldOrders } from '../repository.js';

const { db } = await openSharedDatabase();

test.each<[string, RunQueries]>([
  ['orders_with_customer', (queries) => lockOldOrders(queries, { before: 1, limit: 5 })],
  ['orders_by_email', (queries) => findOrderIdsOf(queries, { email: 'x', phone: '' })],
  ['orders_by_phone', (queries) => findOrderIdsOf(queries, { email: '', phone: '5512345678' })],
])('a query of the erasure uses %s and reads no table', async (index, query) => {
  const [plan, ...others] = await plansOf(db, query);

  expect(others).toEqual([]);
  expect(plan).toMatch(index);
  expect(plan).not.toMatch(READS_A_TABLE);
});
