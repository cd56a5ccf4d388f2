/** Figures of the gauges. Each query reads a bounded part of one index. */

import { IN_REVIEW } from '@tianguis/payments/back-office';
import { type Backlog, LOOKUP_QUEUES, waitingWebhooks } from '@tianguis/payments/operations';
import type { Db } from '../../tables/database.js';

/** Counts the orders that need review, up to `limit`. The oldest is the one that was changed longest ago. */
export async function reviewBacklog(queries: Db, limit: number): Promise<Backlog> {
  const rows = await queries
    .selectFrom('orders')
    .select('updatedAt')
    .where(IN_REVIEW)
    .orderBy('updatedAt')
    .limit(limit)
    .execute();
  return { count: rows.length, oldestAt: rows[0]?.updatedAt ?? null };
}

/** Returns when the oldest webhook event since `since` arrived, by its state. */
export async function oldestWebhooks(queries: Db, since: number) {
  const oldest = await queries
    .selectFrom('inbox')
    .select(['state', (eb) => eb.fn.min('receivedAt').as('at')])
    .where('receivedAt', '>=', since)
    .groupBy('state')
    .execute();
  return new Map(oldest.map(({ state, at }) => [state, at]));
}

/** Returns when the first work of each queue is or was due, whether or not a worker runs. Absent: the queue is empty. */
export async function nextDueWork(queries: Db) {
  const lookups = queries.selectFrom('attempts').select('nextCheckAt as at').orderBy('nextCheckAt');
  const jobs = queries.selectFrom('outbox').select('nextAt as at').where('doneAt', 'is', null);
  const lookup = await lookups.where(LOOKUP_QUEUES.live).limit(1).executeTakeFirst();
  const webhook = await waitingWebhooks(queries).limit(1).executeTakeFirst();
  const job = await jobs.orderBy('nextAt').limit(1).executeTakeFirst();
  return { lookups: lookup?.at, webhooks: webhook?.at, jobs: job?.at };
}
