/** Stores what the gateway answered, with retries that may outlast the request. */
import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseError } from './database/database-error.js';
import { REQUEST_WAIT_MS, RETRY_FOR_MS, SHUTDOWN_MS } from './lease-times.js';
import { errorName } from './rules/error-name.js';

const RETRY_PAUSE_MS = 100;

/** The writes that are running. The shutdown waits for them. */
export type RunningWrites = Set<Promise<unknown>>;

interface Writer {
  readonly runningWrites: RunningWrites;
}

/**
 * Runs a transaction that stores an answer of the gateway. Retries database faults every 100 ms for up to 18 s, also a full disk or
 * a standby that is still read-only, because a lost answer may hide a charge. The shutdown waits for it. Throws what the last try throws.
 */
export function retryWrite<T>(
  { runningWrites }: Writer,
  task: () => Promise<T>,
  onRetry: (reason: string) => void,
): Promise<T> {
  const writing = retry(task, onRetry).finally(() => runningWrites.delete(writing));
  runningWrites.add(writing);
  return writing;
}

async function retry<T>(task: () => Promise<T>, onRetry: (reason: string) => void): Promise<T> {
  const endsAt = performance.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!isDatabaseError(error) || performance.now() > endsAt) throw error;
      onRetry(errorName(error));
    }
    await delay(RETRY_PAUSE_MS);
  }
}

/**
 * Returns what a write of {@link retryWrite} returns, or `undefined` after `waitMs`: the request ends, and the retries go on. Then
 * `onLost` gets the reason of their failure.
 */
export async function untilWritten<T>(
  writing: Promise<T>,
  onLost: (reason: string) => void = () => {},
  waitMs: number = REQUEST_WAIT_MS,
): Promise<T | undefined> {
  const written = await waitFor(writing, waitMs);
  if (written === undefined) writing.catch((error: unknown) => onLost(errorName(error)));
  return written;
}

/** Returns a function that resolves when no write is running, and 46 s after `shutdown` was aborted at the latest. */
export function waitForWrites({ runningWrites }: Writer, shutdown: AbortSignal): () => Promise<void> {
  let endsAt = Number.POSITIVE_INFINITY;
  shutdown.addEventListener('abort', () => {
    endsAt = performance.now() + SHUTDOWN_MS;
  });
  return async () => {
    // A write may lead to another one.
    while (runningWrites.size > 0 && performance.now() < endsAt)
      await waitFor(Promise.allSettled(runningWrites), Math.max(0, endsAt - performance.now()));
  };
}

/** Returns the result of the work, or `undefined` after `ms` milliseconds. The work goes on. */
export function waitFor<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, undefined);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
