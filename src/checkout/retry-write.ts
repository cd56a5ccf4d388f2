import { setTimeout as delay } from 'node:timers/promises';
import { isTransientError } from '../db/database-error.js';
import { errorName } from '../domain/error-name.js';

/** Maximum time to retry storing a gateway response while the database has a transient fault. */
const RETRY_FOR_MS = 6_000;
const RETRY_PAUSE_MS = 100;

/**
 * Runs a transaction that stores a gateway response. Retries transient database faults every 100 ms for up to 6 s, and
 * calls `onRetry` with the name of each. Throws what the last try throws.
 */
export async function retryWrite<T>(write: () => Promise<T>, onRetry: (reason: string) => void): Promise<T> {
  const endsAt = performance.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isTransientError(error) || performance.now() > endsAt) throw error;
      onRetry(errorName(error));
    }
    await delay(RETRY_PAUSE_MS);
  }
}
