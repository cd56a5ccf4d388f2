/** What the desk counts: each figure from an index, and no more of it than is asked for. */
import { sql } from 'kysely';
import type { OrderState } from '../core/order.js';
import type { Queries } from './database.js';
import type { Effect } from './outbox.js';

/** How many there are, counted no further than `most`, and the moment of the oldest. */
export interface Backlog {
  readonly count: number;
  readonly oldestAt: number | null;
}

/** The orders in these states, by when they were placed. */
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

/** Counted inside the database: a thousand rows handed over cost more than a thousand read. */
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

export interface MessageFigures {
  readonly newestAt: number | null;
  readonly kept: number;
  readonly unmatched: number;
  readonly waiting: number;
}

/** What the service sent since a moment, and what waits from whenever, counted no further than `most`. */
export async function messageFigures(
  queries: Queries,
  { since, most }: { readonly since: number; readonly most: number },
): Promise<MessageFigures> {
  const counted = await countMessages(queries, since);
  const newest = await queries
    .selectFrom('inbox')
    .select('receivedAt')
    .orderBy('receivedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    newestAt: newest?.receivedAt ?? null,
    kept: counted.reduce((total, { count }) => total + count, 0),
    unmatched: counted.find(({ state }) => state === 'unmatched')?.count ?? 0,
    waiting: await countWaitingMessages(queries, most),
  };
}

function countMessages(queries: Queries, since: number) {
  return queries
    .selectFrom('inbox')
    .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
    .where('receivedAt', '>=', since)
    .groupBy('state')
    .execute();
}

async function countWaitingMessages(queries: Queries, most: number): Promise<number> {
  const rows = await queries
    .selectFrom('inbox')
    .select('nextAt')
    // The words of the partial index, so that both databases use it.
    .where(sql<boolean>`state = 'new'`)
    .orderBy('nextAt')
    .limit(most)
    .execute();
  return rows.length;
}

/** An effect of a paid order that is not done yet. */
export interface WaitingEffect {
  readonly effect: Effect['effect'];
  /** Of its order. */
  readonly number: string;
}

/** Those that have waited longest, oldest first. */
export function findWaitingEffects(queries: Queries, most: number): Promise<readonly WaitingEffect[]> {
  return queries
    .selectFrom('outbox')
    .innerJoin('orders', 'orders.id', 'outbox.orderId')
    .select(['outbox.effect', 'orders.number'])
    .where('outbox.doneAt', 'is', null)
    .orderBy('outbox.createdAt')
    .limit(most)
    .execute();
}

/** How many effects wait, counted no further than `most`. */
export async function effectBacklog(queries: Queries, most: number): Promise<Backlog> {
  const rows = await queries
    .selectFrom('outbox')
    .select('createdAt')
    .where('doneAt', 'is', null)
    .orderBy('createdAt')
    .limit(most)
    .execute();
  return { count: rows.length, oldestAt: rows[0]?.createdAt ?? null };
}
