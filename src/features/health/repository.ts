/** Figures of the overview. Each query reads a bounded part of one index. */

import { waitingWebhooks } from '@tianguis/payments/operations';
import type { Db } from '../../tables/database.js';

/** Counts the attempts since `since` that the gateway never ended, up to `limit`. */
export async function countNeverCompleted(
  queries: Db,
  { since, limit }: { readonly since: number; readonly limit: number },
): Promise<number> {
  const attempts = queries.selectFrom('attempts').select('neverCompletedAt').where('neverCompletedAt', '>=', since);
  const rows = await attempts.limit(limit).execute();
  return rows.length;
}

/** Counts the webhook events received since `since`, and all that wait to be processed, up to `limit`. */
export async function countWebhooks(queries: Db, { since, limit }: { readonly since: number; readonly limit: number }) {
  const counted = await queries
    .selectFrom('inbox')
    .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
    .where('receivedAt', '>=', since)
    .groupBy('state')
    .execute();
  const countOf = (wanted: string) => counted.find(({ state }) => state === wanted)?.count ?? 0;
  const { newestAt } = await queries
    .selectFrom('inbox')
    .select((eb) => eb.fn.max('receivedAt').as('newestAt'))
    .executeTakeFirstOrThrow();
  const waiting = await waitingWebhooks(queries).limit(limit).execute();
  return {
    newestAt,
    stored: counted.reduce((total, { count }) => total + count, 0),
    unmatched: countOf('unmatched'),
    failed: countOf('failed'),
    waiting: waiting.length,
  };
}

/** Returns the outbox jobs that are not done, with the number of their order, oldest first. */
export function findWaitingJobs(queries: Db, limit: number) {
  return queries
    .selectFrom('outbox')
    .innerJoin('orders', 'orders.id', 'outbox.orderId')
    .select(['outbox.job', 'orders.number'])
    .where('outbox.doneAt', 'is', null)
    .orderBy('outbox.createdAt')
    .limit(limit)
    .execute();
}
