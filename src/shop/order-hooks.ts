import type { Config } from '../config/config.js';
import type { Db } from '../db/database.js';
import type { Schema } from '../db/schema.js';
import type { AppliedChange, OrderOf } from '../payments/index.js';

export type ShopOrder = OrderOf<Schema>;
export type ShopChange = AppliedChange<ShopOrder>;

/** What a feature stores together with a change of an order, such as a job. It calls no network and catches no error. */
export interface OrderHooks {
  /** Runs in the transaction of each change. */
  orderChanged?(queries: Db, change: ShopChange, config: Pick<Config, 'merchantEmail'>): Promise<void>;
  /** Runs in the transaction that stores that money was returned. `at`: milliseconds since 1970. */
  moneyReturned?(
    queries: Db,
    refund: { readonly orderId: string; readonly refundId: string; readonly at: number },
  ): Promise<void>;
}

/** Returns whether the change made the order paid. */
export function becamePaid({ before, after }: ShopChange): boolean {
  return after.state === 'paid' && before.state !== 'paid';
}
