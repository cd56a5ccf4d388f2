import { expect, test } from '@jest/globals';
import { findOrderPageJobs } from '../../../src/features/order-jobs/repository.js';
import { plansOf, READS_A_TABLE } from '../../support/query-plans.js';
import { openSharedDatabase } from '../../support/test-database.js';

const { db } = await openSharedDatabase();

test('the jobs of an order page are read by their keys', async () => {
  const plans = await plansOf(db, (queries) => findOrderPageJobs(queries, 'x'));

  const indexes = [/invoice_requests_pkey|autoindex_invoice_requests/, /outbox_pkey|autoindex_outbox/];
  expect(plans).toEqual(indexes.map((index) => expect.stringMatching(index)));
  for (const plan of plans) expect(plan).not.toMatch(READS_A_TABLE);
});
