import { expect, test } from '@jest/globals';
import { plansOf, READS_A_TABLE } from '../../../../test/support/query-plans.js';
import { openSharedDatabase } from '../../../../test/support/test-database.js';
import { findReservationsOfProduct } from '../repository.js';

const { db } = await openSharedDatabase();

test('the search for the reservations of a product reads no table', async () => {
  const [plan] = await plansOf(db, (queries) => findReservationsOfProduct(queries, 'p', { at: 1, limit: 50 }));

  expect(plan).not.toMatch(READS_A_TABLE);
});
