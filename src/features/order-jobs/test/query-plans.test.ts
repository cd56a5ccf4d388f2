import { expect, test } from '@jest/globals';
import { plansOf, READS_A_TABLE } from '../../../../test/support/query-plans.js';
import { openSharedDatabase } from '../../../../test/support/test-database.js';
import { findJobs } from '../repository.js';

const { db } = await openSharedDatabase();

test('the jobs of an order page are read by their keys', async () => {
  const plans = await plansOf(db, (queries) => findJobs(queries, ['receipt:x']));

  expect(plans).toEqual([expect.stringMatching(/outbox_pkey|autoindex_outbox/)]);
  for (const plan of plans) expect(plan).not.toMatch(READS_A_TABLE);
});
