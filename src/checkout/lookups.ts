/** Lookups of attempts: their triggers and results, one in flight per attempt, and the rate limit of the account. */
import type { MakeLimiter } from '../db/connection/limits.js';
import type { PaymentFlow } from '../domain/order.js';

export const TRIGGERS = ['return', 'order_page', 'checkout', 'card_answer', 'webhook', 'worker', 'merchant'] as const;
export type Trigger = (typeof TRIGGERS)[number];

export type LookupResult =
  /** The gateway responded, and the result was applied. */
  | 'answered'
  /** No lookup was needed: a recent one serves this caller. */
  | 'recent'
  /** No lookup was made, because the account's rate limit for this minute is used up. */
  | 'over_budget'
  /** The gateway does not know the id. */
  | 'not_found'
  /** The gateway returned no usable response. */
  | 'unreachable'
  /** The attempt was made with other gateway addresses, or the gateway does not know it with the present key. */
  | 'other_environment';

/** Returns whether a lookup does not show if the attempt was paid meanwhile. */
export function hasNoAnswer(result: LookupResult | undefined): boolean {
  return result === 'unreachable' || result === 'over_budget';
}

/** A lookup in flight, and the next one, which callers that arrive meanwhile share. */
interface RunningLookup {
  readonly current: Promise<LookupResult>;
  next?: Promise<LookupResult>;
}

/** The lookups in flight in this process, by attempt id. */
export type RunningLookups = Map<string, RunningLookup>;

/**
 * Starts a lookup of an attempt. At most one per attempt is in flight in this process. If one is, a caller that accepts a
 * `recent` result waits for it. The other callers share the next one, which is never older than their call.
 */
export function lookUpOnce(
  running: RunningLookups,
  attemptId: string,
  start: () => Promise<LookupResult>,
  acceptsRecent: boolean,
): Promise<LookupResult> {
  const begin = () => {
    const lookup: RunningLookup = {
      current: start().finally(() => {
        if (!lookup.next) running.delete(attemptId);
      }),
    };
    running.set(attemptId, lookup);
    return lookup.current;
  };
  const lookup = running.get(attemptId);
  if (!lookup) return begin();
  const recent = () => 'recent' as const;
  if (acceptsRecent) return lookup.current.then(recent, recent);
  lookup.next ??= lookup.current.then(begin, begin);
  return lookup.next;
}

/**
 * Lookups per minute for the whole account. The gateway allows 300 per minute for card payments and documents no limit
 * for sessions. The other 20 card lookups are left to checkouts, card responses and admin users, which are never
 * refused.
 */
export const LOOKUP_BUDGET: Readonly<Record<PaymentFlow, number>> = { hosted: 900, card: 280 };

/** Lookups per minute for return pages and order pages. The rest is reserved for worker and webhooks. */
const CUSTOMER_SHARE: Readonly<Record<PaymentFlow, number>> = { hosted: 600, card: 180 };

/** Lookups per minute by the worker after the offer, of both flows. */
const WATCH_SHARE = 60;

const MINUTE_S = 60;
const KEY = 'account';

/** Rate limit for lookups. Processes that share a PostgreSQL database share the counters. */
export interface LookupBudget {
  /** Counts a lookup and returns whether it may be made now. `isOfferOver`: its customer can no longer pay on the page. */
  take(kind: PaymentFlow, trigger: Trigger, isOfferOver: boolean): Promise<boolean>;
}

export const unlimitedLookups: LookupBudget = { take: () => Promise.resolve(true) };

/** Refuses return and order pages first, then worker and webhooks. Never refuses a checkout, card response or admin user. */
export function createLookupBudget(limiter: MakeLimiter): LookupBudget {
  const counter = (name: string, { hosted, card }: Readonly<Record<PaymentFlow, number>>) => ({
    hosted: limiter({ name: `${name}_hosted`, max: hosted, seconds: MINUTE_S }),
    card: limiter({ name: `${name}_card`, max: card, seconds: MINUTE_S }),
  });
  const customers = counter('lookups_customer', CUSTOMER_SHARE);
  const all = counter('lookups', LOOKUP_BUDGET);
  const watch = limiter({ name: 'lookups_watch', max: WATCH_SHARE, seconds: MINUTE_S });
  return {
    async take(kind, trigger, isOfferOver) {
      if (isOfferOver && trigger === 'worker' && (await watch.count(KEY)) !== undefined) return false;
      const isCustomer = trigger === 'return' || trigger === 'order_page';
      if (isCustomer && (await customers[kind].count(KEY)) !== undefined) return false;
      const within = (await all[kind].count(KEY)) === undefined;
      return within || trigger === 'checkout' || trigger === 'card_answer' || trigger === 'merchant';
    },
  };
}
