import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { plansOf, READS_A_TABLE } from '../../../../test/support/query-plans.js';
import { openSharedDatabase } from '../../../../test/support/test-database.js';
import { findUnderpricedOrders } from '../repository.js';

const { db } = await openSharedDatabase();

test('the search for underpriced orders reads only those with an open link', async () => {
  const product = { id: 'x', price: centavos(300) };
  const [plan, ...others] = await plansOf(db, (queries) =>
    findUnderpricedOrders(queries, product, { at: 5, limit: 9 }),
  );

  expect(others).toEqual([]);
  expect(plan).toMatch('orders_payable');
  expect(plan).not.toMatch(READS_A_TABLE);
});
