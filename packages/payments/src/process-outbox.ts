import type { PaymentContext } from './context.js';
import { NOT_NEEDED } from './host.js';
import type { Attempt } from './rules/attempt.js';
import { errorName } from './rules/error-name.js';
import type { PaymentIds } from './store/attempts.js';
import { findOrder, recordEvent } from './store/orders.js';
import { DROPPED, finishJob, leaseJobs, type OutboxJob, rescheduleJob } from './store/outbox.js';
import { withDeadline } from './with-deadline.js';

export const JOB_BATCH = 8;
/** Above the deadline of a job, in milliseconds. After a crash another worker leases the job when the lease expires. */
export const JOB_LEASE_MS = 120_000;
const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 60 * 60 * 1000;

/** Returns the names of the jobs that this program runs. */
export function jobNames({ host }: Pick<PaymentContext, 'host'>): readonly string[] {
  return Object.keys(host.jobs);
}

/**
 * Runs due outbox jobs of these types. Each job runs at least once, until it
 * succeeds, always with the same idempotency key. A failed or timed-out job is retried with backoff and does not affect
 * other jobs. Returns the number of leased jobs.
 */
export async function processOutbox(
  context: PaymentContext,
  types: readonly string[] = jobNames(context),
  stop?: AbortSignal,
): Promise<number> {
  if (types.length === 0) return 0;
  const at = context.clock.now();
  const lease = { at, leaseUntil: at + JOB_LEASE_MS, limit: JOB_BATCH };
  const jobs = await leaseJobs(context.db.queries, types, lease);
  await Promise.all(jobs.map((job) => perform(context, job, stop)));
  return jobs.length;
}

/** Returns the milliseconds from a failed try to the next. */
export function retryDelayMs(tries: number): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
}

/** Returns the last part of a job's key. It names what the job is about, such as a refund. */
export function lastPartOf(key: string): string {
  return key.slice(key.lastIndexOf(':') + 1);
}

/** Returns how the gateway names the payment of an attempt. */
export function paymentIdsOf(attempt: Attempt): PaymentIds {
  const { flow, method, reference, gatewayId, transactionId, paymentId, provider } = attempt;
  return { flow, method, reference, gatewayId, transactionId, paymentId, provider };
}

async function perform(context: PaymentContext, job: OutboxJob, stop?: AbortSignal): Promise<void> {
  const { db, log } = context;
  const { job: kind, tries: count, key, createdAt } = job;
  const fields = { order: undefined as string | undefined, kind };
  try {
    const order = await findOrder(db.queries, job.orderId);
    if (!order) throw new Error('an outbox job without its order');
    fields.order = order.number;
    const send = context.host.jobs[kind];
    if (!send) throw new Error('an outbox job without its handler');
    const { jobDeadlineMs } = context.config;
    const result = await withDeadline(jobDeadlineMs, (signal) => send(order, { key, createdAt, signal }), stop);
    const isDone = result !== NOT_NEEDED;
    const at = context.clock.now();
    await db.transaction(async (queries) => {
      // The entry locks the order, and an order is locked before its jobs.
      const event = isDone ? 'job_done' : 'job_not_needed';
      await recordEvent(queries, { orderId: order.id, at, kind: event, detail: { job: kind } });
      await finishJob(queries, key, at, isDone ? null : DROPPED);
    });
    log.info('job.completed', fields);
  } catch (error) {
    const fault = errorName(error);
    log.error('job.failed', { ...fields, reason: fault, count });
    await reschedule(context, job, fault);
  }
}

/** Schedules the retry of a failed job. If the database fails too, the job is due again when its lease expires. */
async function reschedule({ db, clock, log }: PaymentContext, job: OutboxJob, fault: string): Promise<void> {
  try {
    await rescheduleJob(db.queries, job.key, { nextAt: clock.now() + retryDelayMs(job.tries), lastError: fault });
  } catch (error) {
    log.error('job.reschedule_failed', { job: job.job, reason: errorName(error) });
  }
}
