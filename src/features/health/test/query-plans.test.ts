import { expect, test } from '@jest/globals';
import { plansOf, READS_A_TABLE, type RunQueries } from '../../../../test/support/query-plans.js';
import { openSharedDatabase } from '../../../../test/support/test-database.js';
import { countNeverCompleted, countWebhooks, findWaitingJobs } from '../repository.js';

const { db } = await openSharedDatabase();

test.each<[string, RunQueries]>([
  ['attempts_never_completed', (queries) => countNeverCompleted(queries, { since: 1, limit: 100 })],
  ['inbox_by_receipt inbox_by_receipt inbox_due', (queries) => countWebhooks(queries, { since: 1, limit: 100 })],
  ['outbox_waiting', (queries) => findWaitingJobs(queries, 5)],
])('a query of the health figures uses %s and reads no table', async (indexes, query) => {
  const plans = await plansOf(db, query);

  expect(plans).toEqual(indexes.split(' ').map((index) => expect.stringMatching(index)));
  for (const plan of plans) expect(plan).not.toMatch(READS_A_TABLE);
});
