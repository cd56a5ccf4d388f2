import { expect, test } from '@jest/globals';
import { plansOf, READS_A_TABLE, type RunQueries } from '../../../../test/support/query-plans.js';
import { openSharedDatabase } from '../../../../test/support/test-database.js';
import * as repository from '../repository.js';

const { db } = await openSharedDatabase();

test.each<[string, RunQueries]>([
  ['fulfillments_by_state', (queries) => repository.countToShip(queries, 9)],
  ['fulfillments_by_state', (queries) => repository.findOrdersToShip(queries, { numbers: [], limit: 9 })],
  [
    'orders_number_key|autoindex_orders',
    (queries) => repository.findOrdersToShip(queries, { numbers: ['x', 'y'], limit: 9 }),
  ],
  [
    'fulfillments_pkey|autoindex_fulfillments|fulfillments_by_state',
    (queries) => repository.findFulfillable(queries, ['x', 'y']),
  ],
])('a query of the orders to ship uses %s and reads no table', async (index, query) => {
  const [plan, ...others] = await plansOf(db, query);

  expect(others).toEqual([]);
  expect(plan).toMatch(new RegExp(index));
  expect(plan).not.toMatch(READS_A_TABLE);
});
