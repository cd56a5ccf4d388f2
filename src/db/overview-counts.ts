/** Figures of the back office. Each query reads a bounded part of one index. */
import { sql } from 'kysely';
import type { OrderState } from '../domain/order.js';
import type { Queries } from './database.js';
import type { JobName } from './schema.js';

/** The number of rows, counted up to a limit, and the time of the oldest. */
export interface Backlog {
  readonly count: number;
  readonly oldestAt: number | null;
}

/** Counts the orders in these states up to `most`. The age is the time of placement. */
export async function orderBacklog(
  queries: Queries,
  states: readonly OrderState[],
  most: number,
): Promise<Backlog> {
  const found = await Promise.all(states.map((state) => backlogOfState(queries, state, most)));
  const oldest = found.flatMap(({ oldestAt }) => oldestAt ?? []);
  return {
    count: Math.min(
      found.reduce((total, { count }) => total + count, 0),
      most,
    ),
    oldestAt: oldest.length === 0 ? null : Math.min(...oldest),
  };
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

export interface WebhookCounts {
  readonly newestAt: number | null;
  readonly stored: number;
  readonly unmatched: number;
  readonly failed: number;
  readonly waiting: number;
}

/** Counts the webhook events received since `since`, and all that wait to be processed, up to `most`. */
export async function countWebhooks(
  queries: Queries,
  { since, most }: { readonly since: number; readonly most: number },
): Promise<WebhookCounts> {
  const counted = await countByState(queries, since);
  const countOf = (wanted: string) => counted.find(({ state }) => state === wanted)?.count ?? 0;
  const newest = await queries
    .selectFrom('inbox')
    .select('receivedAt')
    .orderBy('receivedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    newestAt: newest?.receivedAt ?? null,
    stored: counted.reduce((total, { count }) => total + count, 0),
    unmatched: countOf('unmatched'),
    failed: countOf('failed'),
    waiting: await countWaiting(queries, most),
  };
}

function countByState(queries: Queries, since: number) {
  return queries
    .selectFrom('inbox')
    .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
    .where('receivedAt', '>=', since)
    .groupBy('state')
    .execute();
}

async function countWaiting(queries: Queries, most: number): Promise<number> {
  const rows = await queries
    .selectFrom('inbox')
    .select('nextAt')
    // Same text as in the partial index, so that both databases use it.
    .where(sql<boolean>`state = 'new'`)
    .orderBy('nextAt')
    .limit(most)
    .execute();
  return rows.length;
}

/** An outbox job that is not done. */
export interface WaitingJob {
  readonly job: JobName;
  /** The order number. */
  readonly number: string;
}

/** Returns the outbox jobs that are not done, oldest first. */
export function findWaitingJobs(queries: Queries, most: number): Promise<readonly WaitingJob[]> {
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
  const rows = await queries
    .selectFrom('outbox')
    .select('createdAt')
    .where('doneAt', 'is', null)
    .orderBy('createdAt')
    .limit(most)
    .execute();
  return { count: rows.length, oldestAt: rows[0]?.createdAt ?? null };
}
