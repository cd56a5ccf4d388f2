/** Figures for the host's monitoring. Each query reads a bounded part of one index. */
import { sql } from 'kysely';
import { refuseTablePrefix } from '../database/table-prefix.js';
import type { OrderState } from '../rules/index.js';
import type { Db } from './database.js';

/** The number of rows, counted up to a limit, and the time of the oldest. */
export interface Backlog {
  readonly count: number;
  readonly oldestAt: number | null;
}

/** Counts the orders of each of these states up to `limit`. `oldestAt` is the time of placement. */
export async function orderBacklogs(
  queries: Db,
  states: readonly OrderState[],
  limit: number,
): Promise<ReadonlyMap<OrderState, Backlog>> {
  refuseTablePrefix(queries);
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

/** Selects the times at which stored webhook events are or were due. */
export function waitingWebhooks(queries: Db) {
  refuseTablePrefix(queries);
  const events = queries.selectFrom('inbox').select('nextAt as at').orderBy('nextAt');
  // Same text as in the partial index, so that both databases use it.
  return events.where(sql<boolean>`state = 'new'`);
}

/** Counts the outbox jobs that are not done by type, up to `limit` in total. */
export async function jobBacklogs(queries: Db, limit: number): Promise<ReadonlyMap<string, Backlog>> {
  refuseTablePrefix(queries);
  const rows = await queries
    .selectFrom('outbox')
    .select(['job', 'createdAt'])
    .where('doneAt', 'is', null)
    .orderBy('createdAt')
    .limit(limit)
    .execute();
  const backlogs = new Map<string, Backlog>();
  for (const { job, createdAt } of rows) {
    const { count, oldestAt } = backlogs.get(job) ?? { count: 0, oldestAt: createdAt };
    backlogs.set(job, { count: count + 1, oldestAt });
  }
  return backlogs;
}
