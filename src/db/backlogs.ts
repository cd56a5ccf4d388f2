/** Figures of the back office and the metrics. Each query reads a bounded part of one index. */
import { sql } from 'kysely';
import type { OrderState } from '../domain/order.js';
import type { Queries } from './database.js';
import type { JobName } from './schema.js';

/** The number of rows, counted up to a limit, and the time of the oldest. */
export interface Backlog {
  readonly count: number;
  readonly oldestAt: number | null;
}

/** Counts the orders in these states up to `most`. `oldestAt` is the time of placement. */
export async function orderBacklog(
  queries: Queries,
  states: readonly OrderState[],
  most: number,
): Promise<Backlog> {
  const found = await Promise.all(states.map((state) => backlogOfState(queries, state, most)));
  return totalOf(found, most);
}

function totalOf(backlogs: readonly Backlog[], most: number): Backlog {
  const count = backlogs.reduce((total, backlog) => total + backlog.count, 0);
  const oldest = backlogs.flatMap(({ oldestAt }) => oldestAt ?? []);
  return { count: Math.min(count, most), oldestAt: oldest.length === 0 ? null : Math.min(...oldest) };
}

/** Counts inside the database, because transferring a thousand rows costs more than reading them. */
function backlogOfState(queries: Queries, state: OrderState, most: number): Promise<Backlog> {
  return queries
    .selectFrom((eb) =>
      eb
        .selectFrom('orders')
        .select('createdAt')
        .where('state', '=', state)
        .orderBy('createdAt')
        .limit(most)
        .as('piece'),
    )
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('createdAt').as('oldestAt')])
    .executeTakeFirstOrThrow();
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

/** Counts the webhook events received since `since`, and all that wait to be processed, up to `most`. */
export async function countWebhooks(
  queries: Queries,
  { since, most }: { readonly since: number; readonly most: number },
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
  const waiting = await waitingWebhooks(queries).limit(most).execute();
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
export function findWaitingJobs(queries: Queries, most: number) {
  return queries
    .selectFrom('outbox')
    .innerJoin('orders', 'orders.id', 'outbox.orderId')
    .select(['outbox.job', 'orders.number'])
    .where('outbox.doneAt', 'is', null)
    .orderBy('outbox.createdAt')
    .limit(most)
    .execute();
}

/** Counts the outbox jobs that are not done, up to `most`. */
export async function jobBacklog(queries: Queries, most: number): Promise<Backlog> {
  return totalOf([...(await jobBacklogs(queries, most)).values()], most);
}

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

/** Returns when the first work of each queue is or was due, whether or not a worker runs. Absent: the queue is empty. */
export async function nextDueWork(queries: Queries) {
  const lookups = queries.selectFrom('attempts').select('nextCheckAt as at').orderBy('nextCheckAt');
  const due = lookups.where(sql<boolean>`state in ('creating', 'open', 'superseded', 'review')`);
  const jobs = queries.selectFrom('outbox').select('nextAt as at').where('doneAt', 'is', null);
  const lookup = await due.limit(1).executeTakeFirst();
  const webhook = await waitingWebhooks(queries).limit(1).executeTakeFirst();
  const job = await jobs.orderBy('nextAt').limit(1).executeTakeFirst();
  return { lookups: lookup?.at, webhooks: webhook?.at, jobs: job?.at };
}
