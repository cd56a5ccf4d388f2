import { expect, test } from '@jest/globals';
import { plansOf, READS_A_TABLE, type RunQueries } from '../../../../test/support/query-plans.js';
import { openSharedDatabase } from '../../../../test/support/test-database.js';
import { nextDueWork, oldestWebhooks, reviewBacklog } from '../repository.js';

const { db } = await openSharedDatabase();

test.each<[string, RunQueries]>([
  ['orders_in_review', (queries) => reviewBacklog(queries, 100)],
  ['inbox_by_receipt', (queries) => oldestWebhooks(queries, 1)],
  ['attempts_due inbox_due outbox_due', nextDueWork],
])('a query of the gauges uses %s and reads no table', async (indexes, query) => {
  const plans = await plansOf(db, query);

  expect(plans).toEqual(indexes.split(' ').map((index) => expect.stringMatching(index)));
  for (const plan of plans) expect(plan).not.toMatch(READS_A_TABLE);
});
