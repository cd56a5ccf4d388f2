/** Figures for the host's monitoring. Each query reads a bounded part of one index. */
import { type Kysely, sql } from 'kysely';
import { prefixQueries } from '../database/table-prefix.js';
import type { OrderState } from '../rules/index.js';
import type { Db } from './database.js';
import { PAYMENT_TABLES } from './table-sql.js';

/** The number of rows, counted up to a limit, and the time of the oldest. */
export interface Backlog {
  readonly count: number;
  readonly oldestAt: number | null;
}

/** A host has tables of its own beside those of the payments, also with the same names if these have a prefix. */
const own = <T>(queries: Kysely<T>): Db => prefixQueries(queries as unknown as Db, PAYMENT_TABLES);

/** Counts the orders of each of these states up to `limit`. `oldestAt` is the time of placement. */
export async function orderBacklogs<T>(
  queries: Kysely<T>,
  states: readonly OrderState[],
  limit: number,
): Promise<ReadonlyMap<OrderState, Backlog>> {
  const db = own(queries);
  const backlogs = new Map<OrderState, Backlog>();
  for (const state of states) {
    const orders = db.selectFrom('orders').select('createdAt').where('state', '=', state);
    // Counts inside the database, because transferring a thousand rows costs more than reading them.
    const backlog = await db
      .selectFrom(orders.orderBy('createdAt').limit(limit).as('piece'))
      .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('createdAt').as('oldestAt')])
      .executeTakeFirstOrThrow();
    backlogs.set(state, backlog);
  }
  return backlogs;
}

/** Selects the times at which stored webhook events are or were due. */
export function waitingWebhooks<T>(queries: Kysely<T>) {
  const events = own(queries).selectFrom('inbox').select('nextAt as at').orderBy('nextAt');
  // Same text as in the partial index, so that both databases use it.
  return events.where(sql<boolean>`state = 'new'`);
}

/** Counts the outbox jobs that are not done by type, up to `limit` in total. */
export async function jobBacklogs<T>(queries: Kysely<T>, limit: number): Promise<ReadonlyMap<string, Backlog>> {
  const rows = await own(queries)
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
