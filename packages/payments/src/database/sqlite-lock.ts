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

/** Gives the lock to its caller. Returns false after the caller's deadline. */
type Grant = () => boolean;

/** A FIFO lock inside this process. */
export class WriteLock {
  readonly #queue = new Set<Grant>();
  #heldSince: number | undefined;

  /** The caller must call `release()`. Rejects with {@link DatabaseBusyError} at `deadline` (monotonic clock). */
  acquire(deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = () => reject(new DatabaseBusyError('the write lock was not free in time'));
      const grant = () => {
        clearTimeout(timer);
        // Otherwise each queued caller would wait its full time in turn while another process locks the file.
        const isInTime = performance.now() <= deadline;
        if (isInTime) this.#heldSince = performance.now();
        if (isInTime) resolve();
        else refuse();
        return isInTime;
      };
      let timer: NodeJS.Timeout | undefined;
      if (this.#heldSince === undefined) return void grant();
      this.#queue.add(grant);
      if (deadline === Number.POSITIVE_INFINITY) return;
      timer = setTimeout(() => {
        this.#queue.delete(grant);
        refuse();
      }, deadline - performance.now());
    });
  }

  release(): void {
    this.#heldSince = undefined;
    for (const grant of this.#queue) {
      this.#queue.delete(grant);
      if (grant()) return;
    }
  }

  /** Milliseconds since the present holder acquired the lock. 0 if it is free. */
  get heldMs(): number {
    return this.#heldSince === undefined ? 0 : performance.now() - this.#heldSince;
  }
}

/** After a process was killed, the code is `SQLITE_BUSY_RECOVERY` while another one recovers the file. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_BUSY/.test(String(error.code));
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
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await delay(RETRY_MS * (0.5 + Math.random()));
  }
}
