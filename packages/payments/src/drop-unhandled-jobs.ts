import type { PaymentContext } from './context.js';
import { JOB_BATCH, JOB_LEASE_MS, jobNames, retryDelayMs } from './process-outbox.js';
import { errorName } from './rules/error-name.js';
import { lockOrder, recordEvent } from './store/orders.js';
import { dropJob, leaseJobs, type OutboxJob, rescheduleJob } from './store/outbox.js';

/** 24 h with the backoff. Until then another version of the program may run the job, such as after a rollback. */
const MAX_TRIES = 34;
const NO_HANDLER = 'no_handler';

/**
 * Retries due outbox jobs without a handler, and drops each after its last retry. Their feature was removed, or they were
 * queued by another version of the program. A dropped job never runs. Returns the number of leased jobs.
 */
export async function dropUnhandledJobs(context: PaymentContext): Promise<number> {
  const at = context.clock.now();
  const lease = { at, leaseUntil: at + JOB_LEASE_MS, limit: JOB_BATCH };
  const jobs = await leaseJobs(context.db.queries, jobNames(context), lease, 'not in');
  await Promise.all(jobs.map((job) => rescheduleOrDrop(context, job)));
  return jobs.length;
}

/** If the database fails, the job is due again when its lease expires. */
async function rescheduleOrDrop(context: PaymentContext, job: OutboxJob): Promise<void> {
  const { db, clock, log } = context;
  // Tries of a process that has the handler do not count.
  const tries = job.lastError === NO_HANDLER ? job.tries : 1;
  try {
    if (tries >= MAX_TRIES) return await drop(context, job);
    log.error('job.failed', { kind: job.job, reason: NO_HANDLER, count: tries });
    const nextAt = clock.now() + retryDelayMs(tries);
    await rescheduleJob(db.queries, job.key, { nextAt, lastError: NO_HANDLER, tries });
  } catch (error) {
    log.error('job.reschedule_failed', { job: job.job, reason: errorName(error) });
  }
}

async function drop({ db, clock, log }: PaymentContext, job: OutboxJob): Promise<void> {
  const at = clock.now();
  const dropped = await db.transaction(async (queries) => {
    // An order is locked before its jobs.
    const order = await lockOrder(queries, job.orderId);
    if (!(await dropJob(queries, job, at))) return undefined;
    await recordEvent(queries, { orderId: order.id, at, kind: 'job_dropped', detail: { job: job.job } });
    return order;
  });
  if (dropped) log.error('job.dropped', { order: dropped.number, job: job.job, count: job.tries });
}
