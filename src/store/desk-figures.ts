/** What the desk counts: each figure from an index, and no more of it than is asked for. */
import { sql } from 'kysely';
import type { OrderState } from '../core/order.js';
import type { Queries } from './database.js';

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
  const each = await Promise.all(states.map((state) => ordersInState(queries, state, most).execute()));
  const moments = each.flatMap((rows) => rows.slice(0, 1).map((row) => row.createdAt));
  const count = each.reduce((total, rows) => total + rows.length, 0);
  return { count: Math.min(count, most), oldestAt: moments.length === 0 ? null : Math.min(...moments) };
}

/** The oldest orders of a state, by their moment alone. */
export function ordersInState(queries: Queries, state: OrderState, most: number) {
  return queries
    .selectFrom('orders')
    .select('createdAt')
    .where('state', '=', state)
    .orderBy('createdAt')
    .limit(most);
}

/** The messages of the service since a moment, by what became of them. */
export function messagesSince(queries: Queries, since: number) {
  return queries
    .selectFrom('inbox')
    .select(['state', (eb) => eb.fn.countAll<number | string>().as('count')])
    .where('receivedAt', '>=', since)
    .groupBy('state');
}

/** The newest message. */
export function newestMessage(queries: Queries) {
  return queries.selectFrom('inbox').select('receivedAt').orderBy('receivedAt', 'desc').limit(1);
}

/** Messages that were not looked up yet, counted no further than `most`. */
export function waitingMessages(queries: Queries, most: number) {
  return queries
    .selectFrom('inbox')
    .select('nextAt')
    .where(sql<boolean>`state = 'new'`)
    .orderBy('nextAt')
    .limit(most);
}

export interface MessageFigures {
  readonly newestAt: number | null;
  readonly kept: number;
  readonly unmatched: number;
  readonly waiting: number;
}

/** What came in since a moment, and what waits from whenever. */
export async function messageFigures(
  queries: Queries,
  { since, most }: { readonly since: number; readonly most: number },
): Promise<MessageFigures> {
  const byState = await messagesSince(queries, since).execute();
  const counted = byState.map(({ state, count }) => ({ state, count: Number(count) }));
  const newest = await newestMessage(queries).executeTakeFirst();
  const waiting = await waitingMessages(queries, most).execute();
  return {
    newestAt: newest?.receivedAt ?? null,
    kept: counted.reduce((total, { count }) => total + count, 0),
    unmatched: counted.find(({ state }) => state === 'unmatched')?.count ?? 0,
    waiting: waiting.length,
  };
}

/** Effects of paid orders that are not done yet, oldest first. */
export function waitingEffects(queries: Queries, most: number) {
  return queries
    .selectFrom('outbox')
    .innerJoin('orders', 'orders.id', 'outbox.orderId')
    .select(['outbox.effect', 'outbox.createdAt', 'outbox.tries', 'orders.number'])
    .where('outbox.doneAt', 'is', null)
    .orderBy('outbox.createdAt')
    .limit(most);
}

/** How many effects wait, counted no further than `most`. */
export async function effectBacklog(queries: Queries, most: number): Promise<Backlog> {
  const rows = await effectMoments(queries, most).execute();
  return { count: rows.length, oldestAt: rows[0]?.createdAt ?? null };
}

/** The moments from which effects wait. */
export function effectMoments(queries: Queries, most: number) {
  return queries
    .selectFrom('outbox')
    .select('createdAt')
    .where('doneAt', 'is', null)
    .orderBy('createdAt')
    .limit(most);
}
