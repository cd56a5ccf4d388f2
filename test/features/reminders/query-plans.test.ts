import { expect, test } from '@jest/globals';
import { leaseOrdersToRemind } from '../../../src/features/reminders/repository.js';
import { plansOf, READS_A_TABLE } from '../../support/query-plans.js';
import { openSharedDatabase } from '../../support/test-database.js';

const { db } = await openSharedDatabase();

test('the search for due reminders uses its index and reads no table', async () => {
  const lease = { at: 5, leaseUntil: 9, limit: 10 };
  const [plan, ...others] = await plansOf(db, (queries) => leaseOrdersToRemind(queries, lease));

  expect(others).toEqual([]);
  expect(plan).toMatch('orders_to_remind');
  expect(plan).not.toMatch(READS_A_TABLE);
});
