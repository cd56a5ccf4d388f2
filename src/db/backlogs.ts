/** Figures of the back office and the metrics. Each query reads a bounded part of one index. */
import { sql } from 'kysely';
import type { OrderState } from '../domain/order.js';
import { LOOKUP_QUEUES } from './attempts.js';
import type { Queries } from './connection/database.js';
import { IN_REVIEW } from './orders.js';
import type { JobName } from './schema.js';

/** The number of rows, counted up to a limit, and the time of the oldest. */
export interface Backlog {
  readonly count: number;
  readonly oldestAt: number | null;
}

/** Counts the orders of each of these states up to `limit`. `oldestAt` is the time of placement. */
export async function orderBacklogs(
  queries: Queries,
  states: readonly OrderState[],
  limit: number,
): Promise<ReadonlyMap<OrderState, Backlog>> {
  const backlogs = new Map<OrderState, Backlog>();
  for (const state of states) {
    const orders = queries.selectFrom('orders').select('createdAt').where('state', '=', state);
    // Counts inside the database, because transferring a thousand rows costs more than reading them.
    const backlog = await queries
      .selectFrom(orders.orderBy('createdAt').limit(limit).as('piece'))
      .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('createdAt').as('oldestAt')])
      .executeTakeFirstOrThrow();
    backlogs.set(state, backlog);
  }
  return backlogs;
}

/** Counts the orders that need review, up to `limit`. */
export async function countOrdersInReview(queries: Queries, limit: number): Promise<number> {
  const rows = await queries
    .selectFrom('orders')
    .select('updatedAt')
    .where(IN_REVIEW)
    .orderBy('updatedAt')
    .limit(limit)
    .execute();
  return rows.length;
}

/** Counts the attempts since `since` that the gateway never ended, up to `limit`. */
export async function countNeverCompleted(
  queries: Queries,
  { since, limit }: { readonly since: number; readonly limit: number },
): Promise<number> {
  const attempts = queries.selectFrom('attempts').select('neverCompletedAt').where('neverCompletedAt', '>=', since);
  const rows = await attempts.limit(limit).execute();
  return rows.length;
}

/** Counts the webhook events received since `since`, and all that wait to be processed, up to `limit`. */
export async function countWebhooks(
  queries: Queries,
  { since, limit }: { readonly since: number; readonly limit: number },
) {
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

function waitingWebhooks(queries: Queries) {
  const events = queries.selectFrom('inbox').select('nextAt as at').orderBy('nextAt');
  // Same text as in the partial index, so that both databases use it.
  return events.where(sql<boolean>`state = 'new'`);
}

/** Returns the outbox jobs that are not done, with the number of their order, oldest first. */
export function findWaitingJobs(queries: Queries, limit: number) {
  return queries
    .selectFrom('outbox')
    .innerJoin('orders', 'orders.id', 'outbox.orderId')
    .select(['outbox.job', 'orders.number'])
    .where('outbox.doneAt', 'is', null)
    .orderBy('outbox.createdAt')
    .limit(limit)
    .execute();
}

/** Counts the outbox jobs that are not done by type, up to `limit` in total. */
export async function jobBacklogs(queries: Queries, limit: number): Promise<ReadonlyMap<JobName, Backlog>> {
  const rows = await queries
    .selectFrom('outbox')
    .select(['job', 'createdAt'])
    .where('doneAt', 'is', null)
    .orderBy('createdAt')
    .limit(limit)
    .execute();
  const backlogs = new Map<JobName, Backlog>();
  for (const { job, createdAt } of rows) {
    const { count, oldestAt } = backlogs.get(job) ?? { count: 0, oldestAt: createdAt };
    backlogs.set(job, { count: count + 1, oldestAt });
  }
  return backlogs;
}

/** Returns when the first work of each queue is or was due, whether or not a worker runs. Absent: the queue is empty. */
export async function nextDueWork(queries: Queries) {
  const lookups = queries.selectFrom('attempts').select('nextCheckAt as at').orderBy('nextCheckAt');
  const jobs = queries.selectFrom('outbox').select('nextAt as at').where('doneAt', 'is', null);
  const lookup = await lookups.where(LOOKUP_QUEUES.live).limit(1).executeTakeFirst();
  const webhook = await waitingWebhooks(queries).limit(1).executeTakeFirst();
  const job = await jobs.orderBy('nextAt').limit(1).executeTakeFirst();
  return { lookups: lookup?.at, webhooks: webhook?.at, jobs: job?.at };
}
