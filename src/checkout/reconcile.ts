import type { AttemptKind } from '../core/order.js';
import { type Attempt, claimDueAttempts, findAttempt, scheduleCheck } from '../store/attempts.js';
import type { CheckoutServices } from './services.js';
import { LAST_LOOK_MARGIN_MS, settlePayment } from './settle-payment.js';

const BATCH = 16;
const LEASE_MS = 60_000;
const FIRST_DELAY_MS = 20_000;
const LONGEST_DELAY_MS = 300_000;
/** While the service cannot be asked: soon enough to heal within a minute, spread so that nobody stampedes. */
const UNREACHED_DELAY_MS = 20_000;
/** A payment under review is watched for late news as long as this. */
const WATCH_HELD_MS = 48 * 60 * 60 * 1000;
/** Lookups a minute, for all orders together: transactions stay below the published 300. */
export const LOOKUP_BUDGET: Readonly<Record<AttemptKind, number>> = { hosted: 900, card: 240 };

/** How many lookups the worker may still make in the running minute. */
export interface LookupBudget {
  take(kind: AttemptKind): boolean;
}

export function createLookupBudget(now: () => number): LookupBudget {
  let minute = 0;
  let left = { ...LOOKUP_BUDGET };
  return {
    take(kind) {
      const current = Math.floor(now() / 60_000);
      if (current !== minute) {
        minute = current;
        left = { ...LOOKUP_BUDGET };
      }
      left[kind] -= 1;
      return left[kind] >= 0;
    },
  };
}

/**
 * Looks at the attempts that are due, a batch at a time, and says how many it took. Each is held by a lease, so that
 * any number of processes share the work and a crash frees it. An attempt whose time is up gets a last look.
 */
export async function reconcile(services: CheckoutServices, budget: LookupBudget): Promise<number> {
  const at = services.clock.now();
  const due = await claimDueAttempts(services.db.queries, { at, leaseUntil: at + LEASE_MS, most: BATCH });
  await Promise.all(due.map((attempt) => look(services, budget, attempt)));
  return due.length;
}

async function look(services: CheckoutServices, budget: LookupBudget, attempt: Attempt): Promise<void> {
  const { db, clock, observer } = services;
  const allowed = budget.take(attempt.kind);
  observer.lookupWanted(attempt.kind, allowed);
  if (!allowed) {
    await scheduleCheck(db.queries, attempt.id, { at: clock.now() + spread(5_000), checks: attempt.checks });
    return;
  }
  const { reached } = await settlePayment(services, attempt.orderId, 'worker');
  const after = await findAttempt(db.queries, attempt.id);
  if (!after) return;
  const checks = attempt.checks + 1;
  await scheduleCheck(db.queries, attempt.id, {
    at: nextLook(after, { checks, reached, now: clock.now() }),
    checks,
  });
}

/** When to look again: ever more rarely, yet once more right after the attempt's time is up. */
function nextLook(
  attempt: Pick<Attempt, 'state' | 'expiresAt' | 'createdAt'>,
  seen: { readonly checks: number; readonly reached: boolean; readonly now: number },
): number {
  const { now, checks, reached } = seen;
  if (attempt.state === 'held' && now - attempt.createdAt > WATCH_HELD_MS) return Number.MAX_SAFE_INTEGER;
  if (!reached) return now + spread(UNREACHED_DELAY_MS);
  const next = now + spread(Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 1.6 ** (checks - 1)));
  const lastLook = attempt.expiresAt + LAST_LOOK_MARGIN_MS + 1_000;
  return now < lastLook ? Math.min(next, lastLook) : next;
}

function spread(delayMs: number): number {
  return Math.round(delayMs * (0.75 + Math.random() * 0.5));
}
