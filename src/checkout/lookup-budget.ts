import type { MakeLimiter } from '../db/limits.js';
import type { PaymentFlow } from '../domain/order.js';
import type { Trigger } from './trigger.js';

/**
 * Lookups per minute for the whole account. The gateway allows 300 per minute for card payments and documents no limit
 * for sessions. The other 20 card lookups are left to checkouts, card responses and admin users, which are never
 * refused.
 */
export const LOOKUP_BUDGET: Readonly<Record<PaymentFlow, number>> = { hosted: 900, card: 280 };

/** Lookups per minute for return pages and order pages. The rest is reserved for worker and webhooks. */
const CUSTOMER_SHARE: Readonly<Record<PaymentFlow, number>> = { hosted: 600, card: 180 };

const MINUTE_S = 60;
const KEY = 'account';

/** Rate limit for lookups. Processes that share a PostgreSQL database share the counters. */
export interface LookupBudget {
  /** Counts a lookup and returns whether it may be made now. */
  take(kind: PaymentFlow, trigger: Trigger): Promise<boolean>;
}

export const unlimitedLookups: LookupBudget = { take: () => Promise.resolve(true) };

/** Refuses return and order pages first, then worker and webhooks. Never refuses a checkout, card response or admin user. */
export function createLookupBudget(limiter: MakeLimiter): LookupBudget {
  const counter = (name: string, { hosted, card }: Readonly<Record<PaymentFlow, number>>) => ({
    hosted: limiter({ name: `${name}_hosted`, most: hosted, seconds: MINUTE_S }),
    card: limiter({ name: `${name}_card`, most: card, seconds: MINUTE_S }),
  });
  const customers = counter('lookups_customer', CUSTOMER_SHARE);
  const all = counter('lookups', LOOKUP_BUDGET);
  return {
    async take(kind, trigger) {
      const isCustomer = trigger === 'return' || trigger === 'order_page';
      if (isCustomer && (await customers[kind].count(KEY)) !== undefined) return false;
      const within = (await all[kind].count(KEY)) === undefined;
      return within || trigger === 'checkout' || trigger === 'card_answer' || trigger === 'merchant';
    },
  };
}
