import { setTimeout as delay } from 'node:timers/promises';

/** How long a caller waits for the write lock after it queued. */
const DEADLINE_MS = 3_000;
const RETRY_MS = 10;

/** The write lock was not free before the caller's deadline. */
class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError';
  readonly code = 'SQLITE_BUSY';
}

/** Returns the deadline of a caller that queues now, on the monotonic clock. */
export function lockDeadline(): number {
  return performance.now() + DEADLINE_MS;
}

/** A FIFO lock inside this process. */
export class WriteLock {
  readonly #queue: (() => void)[] = [];
  #isHeld: boolean = false;

  /** The caller must call `release()`. Rejects with {@link DatabaseBusyError} after `deadline` (monotonic clock). */
  async acquire(deadline: number): Promise<void> {
    if (this.#isHeld) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#isHeld = true;
    // Otherwise each queued caller would wait its full time in turn while another process locks the file.
    if (performance.now() <= deadline) return;
    this.release();
    throw new DatabaseBusyError('the write lock was not free in time');
  }

  release(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#isHeld = false;
  }
}

/**
 * Runs a statement and retries it with jitter while another process holds the lock. A rejected statement has changed
 * nothing. The event loop is not blocked between tries. Rejects with the driver's `SQLITE_BUSY` after `deadline`.
 */
export async function retryWhileBusy<T>(statement: () => T, deadline: number = lockDeadline()): Promise<T> {
  for (;;) {
    try {
      return statement();
    } catch (error) {
      const isBusy = error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
      if (!isBusy || performance.now() > deadline) throw error;
    }
    await delay(RETRY_MS * (0.5 + Math.random()));
  }
}
