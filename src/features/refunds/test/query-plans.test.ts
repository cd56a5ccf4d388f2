import { expect, test } from '@jest/globals';
import { plansOf, READS_A_TABLE, type RunQueries } from '../../../../test/support/query-plans.js';
import { openSharedDatabase } from '../../../../test/support/test-database.js';
import * as repository from '../repository.js';

const { db } = await openSharedDatabase();

test.each<[string, RunQueries]>([
  ['refunds_one_in_flight', (queries) => repository.findOrdersWithOpenRefund(queries, 5)],
  ['refunds_by_order', (queries) => repository.sumRefunds(queries, ['x', 'y'])],
])('a query of the refunds uses %s and reads no table', async (index, query) => {
  const [plan, ...others] = await plansOf(db, query);

  expect(others).toEqual([]);
  expect(plan).toMatch(index);
  expect(plan).not.toMatch(READS_A_TABLE);
});
