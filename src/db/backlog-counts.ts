/** Backlog of the background work. Each query reads a bounded part of one index. */
import { sql } from 'kysely';
import type { Queries } from './database.js';
import type { Backlog } from './overview-counts.js';
import type { JobName } from './schema.js';

/** Counts the outbox jobs that are not done by type, up to `most` in total. */
export async function jobBacklogs(queries: Queries, most: number): Promise<ReadonlyMap<JobName, Backlog>> {
  const rows = await queries
    .selectFrom('outbox')
    .select(['job', 'createdAt'])
    .where('doneAt', 'is', null)
    .orderBy('createdAt')
    .limit(most)
    .execute();
  const backlogs = new Map<JobName, Backlog>();
  for (const { job, createdAt } of rows) {
    const { count, oldestAt } = backlogs.get(job) ?? { count: 0, oldestAt: createdAt };
    backlogs.set(job, { count: count + 1, oldestAt });
  }
  return backlogs;
}

/** Counts the orders that need review, up to `most`. */
export async function countOrdersInReview(queries: Queries, most: number): Promise<number> {
  const rows = await queries
    .selectFrom('orders')
    .select('updatedAt')
    // Same text as in the partial index, so that both databases use it.
    .where(sql<boolean>`(review_reason is not null or state = 'outcome_unknown')`)
    .orderBy('updatedAt')
    .limit(most)
    .execute();
  return rows.length;
}

/** When the next work of each queue is or was due. Absent when the queue is empty. */
export interface DueWork {
  readonly lookups?: number;
  readonly webhooks?: number;
  readonly jobs?: number;
}

/** Returns when the first work of each queue is due, whether or not a worker runs. */
export async function nextDueWork(queries: Queries): Promise<DueWork> {
  const lookup = await queries
    .selectFrom('attempts')
    .select('nextCheckAt as at')
    .where(sql<boolean>`state in ('creating', 'open', 'superseded', 'review')`)
    .orderBy('nextCheckAt')
    .limit(1)
    .executeTakeFirst();
  const webhook = await queries
    .selectFrom('inbox')
    .select('nextAt as at')
    .where(sql<boolean>`state = 'new'`)
    .orderBy('nextAt')
    .limit(1)
    .executeTakeFirst();
  const job = await queries
    .selectFrom('outbox')
    .select('nextAt as at')
    .where('doneAt', 'is', null)
    .orderBy('nextAt')
    .limit(1)
    .executeTakeFirst();
  return {
    ...(lookup && { lookups: lookup.at }),
    ...(webhook && { webhooks: webhook.at }),
    ...(job && { jobs: job.at }),
  };
}
