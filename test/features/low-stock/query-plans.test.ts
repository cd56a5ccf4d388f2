import { expect, test } from '@jest/globals';
import { findLowStock, findSoldOut } from '../../../src/features/low-stock/repository.js';
import { plansOf, READS_A_TABLE } from '../../support/query-plans.js';
import { openSharedDatabase } from '../../support/test-database.js';

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
