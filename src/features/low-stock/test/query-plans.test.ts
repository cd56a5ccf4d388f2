import { expect, test } from '@jest/globals';
import { plansOf, READS_A_TABLE } from '../../../../test/support/query-plans.js';
import { openSharedDatabase } from '../../../../test/support/test-database.js';
import { findLowStock, findSoldOut } from '../repository.js';

const { db } = await openSharedDatabase();

test('the search for products that are sold out reads only those', async () => {
  const [plan] = await plansOf(db, (queries) => findSoldOut(queries, 9));

  expect(plan).toMatch('products_sold_out');
});

test('the search for products with few pieces reads only those', async () => {
  const [plan] = await plansOf(db, (queries) => findLowStock(queries, { max: 20, limit: 9 }));

  expect(plan).toMatch('products_few_pieces');
  expect(plan).not.toMatch(READS_A_TABLE);
});
