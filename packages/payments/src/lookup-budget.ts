import type { MakeLimiter } from './database/limits.js';
import type { Trigger } from './rules/lookup.js';
import type { PaymentFlow } from './rules/order.js';

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
  /** Counts a lookup and returns whether it may be made now. `isWatched`: the customer can no longer pay on the page of the attempt. */
  take(kind: PaymentFlow, trigger: Trigger, isWatched: boolean): Promise<boolean>;
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
    async take(kind, trigger, isWatched) {
      if (isWatched && trigger === 'worker' && (await watch.count(KEY)) !== undefined) return false;
      const isCustomer = trigger === 'return' || trigger === 'order_page';
      if (isCustomer && (await customers[kind].count(KEY)) !== undefined) return false;
      const within = (await all[kind].count(KEY)) === undefined;
      return within || trigger === 'checkout' || trigger === 'card_answer' || trigger === 'merchant';
    },
  };
}
