import { expect, test } from '@jest/globals';
import * as repository from '../../../src/features/shipments/repository.js';
import { plansOf, READS_A_TABLE, type RunQueries } from '../../support/query-plans.js';
import { openSharedDatabase } from '../../support/test-database.js';

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
