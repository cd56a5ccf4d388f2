import type { Selectable } from 'kysely';
import type { Lease } from '../database/database.js';
import { isPostgres } from '../database/dialects.js';
import { refuseTablePrefix } from '../database/table-prefix.js';
import type { Db } from './database.js';
import type { OutboxTable } from './tables.js';

/** An outbox job: work for one order that runs at least once. */
export type OutboxJob = Readonly<Selectable<OutboxTable>>;

const queuedAt = (at: number) => ({ tries: 0, nextAt: at, createdAt: at, doneAt: null, lastError: null });

/** Returns the key of an outbox job, which is the same at every try. */
export function jobKey(job: string, orderId: string): string {
  return `${job}:${orderId}`;
}

export type QueuedJob = Pick<OutboxJob, 'key' | 'orderId' | 'job'> & { readonly at: number };

/** Creates a job. Does nothing when a job with this key exists. */
export function queueJob(queries: Db, job: QueuedJob): Promise<void> {
  return queueJobs(queries, [job]);
}

/** Creates jobs. A job whose key exists stays as it is. */
export async function queueJobs(queries: Db, jobs: readonly QueuedJob[]): Promise<void> {
  refuseTablePrefix(queries, 'queueJob');
  await queries
    .insertInto('outbox')
    .values(jobs.map(({ at, ...job }) => ({ ...job, ...queuedAt(at) })))
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
}

/** Creates a job, or queues a done one again. Returns `false` if a job with this key is queued. */
export async function requeueJob(queries: Db, { at, ...job }: QueuedJob): Promise<boolean> {
  refuseTablePrefix(queries);
  const { numInsertedOrUpdatedRows } = await queries
    .insertInto('outbox')
    .values({ ...job, ...queuedAt(at) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(queuedAt(at)).where('outbox.doneAt', 'is not', null))
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Leases due outbox jobs of these types, or of all others, and counts the try. */
export function leaseJobs(
  queries: Db,
  types: readonly string[],
  lease: Lease,
  operator: 'in' | 'not in' = 'in',
): Promise<readonly OutboxJob[]> {
  return queries
    .updateTable('outbox')
    .set((eb) => ({ nextAt: lease.leaseUntil, tries: eb('tries', '+', 1) }))
    .where('key', 'in', (eb) =>
      eb
        .selectFrom('outbox')
        .select('key')
        .where('doneAt', 'is', null)
        // PostgreSQL accepts no empty list.
        .$if(operator === 'in' || types.length > 0, (query) => query.where('job', operator, types))
        .where('nextAt', '<=', lease.at)
        .orderBy('nextAt')
        .limit(lease.limit)
        .$if(isPostgres(queries), (query) => query.forUpdate().skipLocked()),
    )
    .returningAll()
    .execute();
}

/** Ends a job that ran. */
export async function finishJob(
  queries: Db,
  key: string,
  at: number,
  lastError: typeof DROPPED | null = null,
): Promise<void> {
  await queries.updateTable('outbox').set({ doneAt: at, lastError }).where('key', '=', key).execute();
}

/** Ends a job that has not run, and that nothing needs any more. */
export async function endJob(queries: Db, key: string, at: number): Promise<void> {
  refuseTablePrefix(queries);
  await queries.updateTable('outbox').set({ doneAt: at }).where('key', '=', key).where('doneAt', 'is', null).execute();
}

/** `lastError` of a job that ended and did nothing. */
export const DROPPED = 'dropped';

/** Ends a job that did not run. Returns `false` if it ended or was leased again since it was read. */
export async function dropJob(queries: Db, { key, tries }: OutboxJob, at: number): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('outbox')
    .set({ doneAt: at, lastError: DROPPED })
    .where('key', '=', key)
    .where('tries', '=', tries)
    .where('doneAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Schedules the next try of an outbox job and stores the name of the fault. */
export async function rescheduleJob(
  queries: Db,
  key: string,
  next: Pick<OutboxTable, 'nextAt' | 'lastError'> & Partial<Pick<OutboxTable, 'tries'>>,
): Promise<void> {
  await queries.updateTable('outbox').set(next).where('key', '=', key).execute();
}
