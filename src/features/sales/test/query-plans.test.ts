import { expect, test } from '@jest/globals';
import { plansOf, READS_A_TABLE, type RunQueries } from '../../../../test/support/query-plans.js';
import { openSharedDatabase } from '../../../../test/support/test-database.js';
import { paidIn, placedIn, refundedByDay, soldIn } from '../repository.js';

const { db } = await openSharedDatabase();

const span = { from: 1, until: 2 };
test.each<[string, RunQueries]>([
  ['orders_paid', (queries) => paidIn(queries, span)],
  ['orders_paid', (queries) => soldIn(queries, span)],
  ['orders_by_age', (queries) => placedIn(queries, span)],
  ['refunds_by_day', (queries) => refundedByDay(queries, { from: '2026-01-01', until: '2026-01-31' })],
])('a query of the sales figures uses %s and reads no table', async (index, query) => {
  const [plan, ...others] = await plansOf(db, query);

  expect(others).toEqual([]);
  expect(plan).toMatch(index);
  expect(plan).not.toMatch(READS_A_TABLE);
});
