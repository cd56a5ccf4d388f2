import { expect, test } from '@jest/globals';
import { findJobs } from '../../../src/features/order-jobs/repository.js';
import { plansOf, READS_A_TABLE } from '../../support/query-plans.js';
import { openSharedDatabase } from '../../support/test-database.js';

const { db } = await openSharedDatabase();

test('the jobs of an order page are read by their keys', async () => {
  const plans = await plansOf(db, (queries) => findJobs(queries, ['receipt:x']));

  expect(plans).toEqual([expect.stringMatching(/outbox_pkey|autoindex_outbox/)]);
  for (const plan of plans) expect(plan).not.toMatch(READS_A_TABLE);
});
