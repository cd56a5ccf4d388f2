import { expect, test } from '@jest/globals';
import * as repository from '../../../src/features/refunds/repository.js';
import { plansOf, READS_A_TABLE, type RunQueries } from '../../support/query-plans.js';
import { openSharedDatabase } from '../../support/test-database.js';

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
