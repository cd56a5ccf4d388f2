/** Backlog of the background work. Each query reads a bounded part of one index. */
import { sql } from 'kysely';
import type { Queries } from './database.js';
import type { Backlog } from './desk-figures.js';
import type { Effect } from './outbox.js';

/** Counts the outbox jobs that are not done by type, up to `most` in total. */
export async function effectBacklogs(
  queries: Queries,
  most: number,
): Promise<ReadonlyMap<Effect['effect'], Backlog>> {
  const rows = await queries
    .selectFrom('outbox')
    .select(['effect', 'createdAt'])
    .where('doneAt', 'is', null)
    .orderBy('createdAt')
    .limit(most)
    .execute();
  const backlogs = new Map<Effect['effect'], Backlog>();
  for (const { effect, createdAt } of rows) {
    const { count, oldestAt } = backlogs.get(effect) ?? { count: 0, oldestAt: createdAt };
    backlogs.set(effect, { count: count + 1, oldestAt });
  }
  return backlogs;
}

/** Counts the orders that need review, up to `most`. */
export async function countOrdersForPerson(queries: Queries, most: number): Promise<number> {
  const rows = await queries
    .selectFrom('orders')
    .select('updatedAt')
    // Same text as in the partial index, so that both databases use it.
    .where(sql<boolean>`(attention is not null or state = 'outcome_unknown')`)
    .orderBy('updatedAt')
    .limit(most)
    .execute();
  return rows.length;
}

/** When the next work of each queue is or was due. Absent when the queue is empty. */
export interface DueWork {
  readonly lookups?: number;
  readonly messages?: number;
  readonly effects?: number;
}

/** Returns when the first work of each queue is due, whether or not a worker runs. */
export async function nextDueWork(queries: Queries): Promise<DueWork> {
  const lookup = await queries
    .selectFrom('attempts')
    .select('nextCheckAt as at')
    .where(sql<boolean>`state in ('creating', 'open', 'superseded', 'held')`)
    .orderBy('nextCheckAt')
    .limit(1)
    .executeTakeFirst();
  const message = await queries
    .selectFrom('inbox')
    .select('nextAt as at')
    .where(sql<boolean>`state = 'new'`)
    .orderBy('nextAt')
    .limit(1)
    .executeTakeFirst();
  const effect = await queries
    .selectFrom('outbox')
    .select('nextAt as at')
    .where('doneAt', 'is', null)
    .orderBy('nextAt')
    .limit(1)
    .executeTakeFirst();
  return {
    ...(lookup && { lookups: lookup.at }),
    ...(message && { messages: message.at }),
    ...(effect && { effects: effect.at }),
  };
}
