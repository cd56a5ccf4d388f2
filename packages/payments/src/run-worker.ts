import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Loop, PaymentContext } from './context.js';
import { deleteExpiredRows } from './database/delete-expired-rows.js';
import { dropUnhandledJobs } from './drop-unhandled-jobs.js';
import { processInbox } from './process-inbox.js';
import { jobNames, processOutbox } from './process-outbox.js';
import { LONGEST_LOOKUP_DELAY_MS, reconcile } from './reconcile.js';
import { errorName } from './rules/error-name.js';
import { resumeLookups } from './store/attempts.js';
import { EXPIRING_PAYMENT_ROWS } from './store/expiring-rows.js';
import { watchClock } from './watch-clock.js';
import { expireRefundLeases } from './write-refund-outcome.js';

/** Pause of a loop without `pauseMs`. */
const IDLE_MS = 500;
/** Such jobs are rare. They are overdue for this time at most. */
const UNHANDLED_PAUSE_MS = 10_000;
const EXPIRY_PAUSE_MS = 10 * 60 * 1000;
/** The next batch starts after 1 s even if the current batch still runs. */
const NEXT_BATCH_MS = 1_000;
/** A job with such a name runs in a loop of its own, because it may be slow. */
const isHook = (job: string) => job.startsWith('on_');
/** A batch that takes longer than this is logged. */
const SLOW_MS = 30_000;
/** How long disposing waits for batches in flight, by default. Unfinished items are leased again when their leases expire. */
const STOP_MS = 5_000;

/** The loops of the payments. */
function loopsOf(context: PaymentContext): readonly Loop[] {
  const jobs = jobNames(context);
  const plainJobs = jobs.filter((job) => !isHook(job));
  const hooks = jobs.filter(isHook);
  const expiring = Object.values(EXPIRING_PAYMENT_ROWS);
  return [
    { name: 'inbox', maxBatches: 4, process: () => processInbox(context) },
    { name: 'reconcile', maxBatches: 4, process: () => reconcile(context, 'live') },
    { name: 'watch', maxBatches: 1, process: () => reconcile(context, 'watched') },
    { name: 'refunds', maxBatches: 1, process: () => expireRefundLeases(context) },
    { name: 'jobs', maxBatches: 4, process: (stop) => processOutbox(context, plainJobs, stop) },
    { name: 'hooks', maxBatches: 4, process: (stop) => processOutbox(context, hooks, stop) },
    {
      name: 'unhandled_jobs',
      maxBatches: 1,
      pauseMs: UNHANDLED_PAUSE_MS,
      process: () => dropUnhandledJobs(context),
    },
    {
      name: 'expired_payments',
      maxBatches: 1,
      pauseMs: EXPIRY_PAUSE_MS,
      process: () => deleteExpiredRows(context.db, expiring, context.clock.now()),
    },
    { name: 'clock', maxBatches: 1, process: () => watchClock(context) },
  ];
}

export interface WorkerOptions {
  /** Stops the worker as disposing does, but waits for nothing. */
  readonly signal?: AbortSignal | undefined;
  /** How long disposing waits for batches in flight, in milliseconds. Default: 5 s. */
  readonly stopMs?: number | undefined;
}

/**
 * Runs the background work of one process until it is disposed of. Each kind of work has its own loop, so a slow or failing
 * kind never blocks another. Any number of processes may run a worker, because every item is leased.
 */
export function startWorker(
  context: PaymentContext,
  { signal, stopMs = STOP_MS }: WorkerOptions = {},
): AsyncDisposable {
  const disposed = new AbortController();
  const stop = signal ? AbortSignal.any([signal, disposed.signal]) : disposed.signal;
  // Each loop listens while it pauses.
  setMaxListeners(0, stop);
  const loops = [...loopsOf(context), ...context.loops].map((loop) => run(context, loop, stop));
  const running = [resumeEnvironment(context), ...loops];
  return {
    async [Symbol.asyncDispose]() {
      disposed.abort();
      const stopped = await Promise.race([Promise.all(running), delay(stopMs, 'timeout', { ref: false })]);
      if (stopped === 'timeout') context.log.warn('worker.stop_timed_out');
    },
  };
}

/** Makes attempts due that were delayed while another environment was configured. */
async function resumeEnvironment({ db, clock, log, config }: PaymentContext): Promise<void> {
  const at = clock.now();
  const { environment } = config;
  await resumeLookups(db.queries, { environment, at, after: at + LONGEST_LOOKUP_DELAY_MS }).catch((error: unknown) =>
    log.error('attempt.resume_failed', { reason: errorName(error) }),
  );
}

/** Starts a batch when the previous one is done, or after 1 s while fewer than `maxBatches` are in flight. */
async function run(context: PaymentContext, loop: Loop, stop: AbortSignal): Promise<void> {
  const inFlight = new Set<Promise<number>>();
  while (!stop.aborted) {
    const batch = processBatch(context, loop, stop).finally(() => inFlight.delete(batch));
    inFlight.add(batch);
    const isFull = inFlight.size >= loop.maxBatches;
    const count = await Promise.race(isFull ? inFlight : [batch, delay(NEXT_BATCH_MS, undefined, { ref: false })]);
    if (count === 0) await delay(loop.pauseMs ?? IDLE_MS, undefined, { signal: stop }).catch(() => {});
  }
  await Promise.all(inFlight);
}

/** Returns the number of leased items; 0 if the batch failed. */
async function processBatch(context: PaymentContext, loop: Loop, stop: AbortSignal): Promise<number> {
  const { log, observer } = context;
  const startedAt = performance.now();
  const slow = setTimeout(() => log.warn('worker.run_exceeded', { loop: loop.name, durationMs: SLOW_MS }), SLOW_MS);
  slow.unref();
  try {
    const count = await loop.process(stop);
    observer.workerRan(performance.now() - startedAt, true);
    return count;
  } catch (error) {
    log.error('worker.run_failed', { loop: loop.name, reason: errorName(error) });
    observer.workerRan(performance.now() - startedAt, false);
    return 0;
  } finally {
    clearTimeout(slow);
  }
}
