import { setTimeout as delay } from 'node:timers/promises';

/** How long it comes back to another process's lock, letting everything else run in between, before it gives up. */
const PATIENCE_MS = 3_000;
const PAUSE_MS = 10;

/** Runs a statement again while another process holds the lock: one that was refused has done nothing. */
export async function whenFree<T>(statement: () => T): Promise<T> {
  const endsAt = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return statement();
    } catch (error) {
      if (!isBusy(error) || performance.now() > endsAt) throw error;
    }
    await delay(PAUSE_MS * (0.5 + Math.random()));
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}
