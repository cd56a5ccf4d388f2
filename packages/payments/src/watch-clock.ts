import type { PaymentContext } from './context.js';
import { makeLiveAttemptsDue } from './store/attempts.js';

/** Smaller corrections delay a lookup by no more than this. */
const TOLERANCE_MS = 60_000;

const lastTimes = new WeakMap<PaymentContext, number>();

/**
 * Makes live attempts due once when the clock of this worker goes back by more than 1 min. Their lookups were scheduled by
 * the clock before. Returns 0, because it takes no item.
 */
export async function watchClock(context: PaymentContext): Promise<number> {
  const { clock, db, log } = context;
  const at = clock.now();
  const backMs = (lastTimes.get(context) ?? at) - at;
  if (backMs > TOLERANCE_MS) {
    await makeLiveAttemptsDue(db.queries, at);
    log.warn('clock.set_back', { durationMs: backMs });
  }
  lastTimes.set(context, at);
  return 0;
}
