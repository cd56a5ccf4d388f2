import type { AppliedChange, OrderOf } from '@tianguis/payments';
import type { Config, FeatureConfig } from '../config/config.js';
import type { Db } from '../tables/database.js';
import type { Schema } from '../tables/schema.js';

export type ShopOrder = OrderOf<Schema>;
export type ShopChange = AppliedChange<ShopOrder>;

type CorrectedOrder = Pick<ShopOrder, 'id' | 'email'>;

/** What a feature stores together with a change of an order, such as a job. It calls no network and catches no error. */
export interface OrderHooks {
  /** Returns whether orders that are placed now wait for a reminder. */
  remindsNewOrders?(config: Pick<Config, keyof FeatureConfig>): boolean;
  /** Runs in the transaction of each change. */
  orderChanged?(
    queries: Db,
    change: ShopChange,
    config: Pick<Config, 'merchantEmail' | keyof FeatureConfig>,
  ): Promise<void>;
  /** Runs in the transaction in which an admin user corrects name, e-mail or phone of an order. `at`: milliseconds since 1970. */
  contactCorrected?(
    queries: Db,
    change: { readonly before: CorrectedOrder; readonly after: CorrectedOrder; readonly at: number },
  ): Promise<void>;
  /** Runs in the transaction that stores that money was returned. `at`: milliseconds since 1970. */
  moneyReturned?(
    queries: Db,
    refund: {
      readonly orderId: string;
      readonly refundId: string;
      /** A payment past the gateway was taken back. */
      readonly isReversal: boolean;
      readonly at: number;
    },
  ): Promise<void>;
}

/** Returns whether the change made the order paid. */
export function becamePaid({ before, after }: ShopChange): boolean {
  return after.state === 'paid' && before.state !== 'paid';
}

/** After a decline the customer has 15 min to try again. */
const AFTER_DECLINE_MS = 15 * 60_000;

/**
 * Returns when what an unpaid order has set aside is free again because of this change, in milliseconds since 1970: after an end
 * of the order, or later after a decline, unless a new order took its place. `undefined`: the change ends nothing.
 */
export function reservationEnd({ before, after, attempt, cause, at }: ShopChange): number | undefined {
  if (cause === 'order_replaced' && after.state === 'declined') return at;
  // A start that failed beside an open page cancels the order, and the page still takes a payment.
  const endsOffer = after.state !== before.state && cause !== 'start_failed';
  const endsLink = after.payableUntil !== before.payableUntil;
  if (!endsOffer && !endsLink && !attempt?.isDeclined) return undefined;
  if (after.state === 'expired' || after.state === 'cancelled') return at;
  return after.state === 'declined' ? at + AFTER_DECLINE_MS : undefined;
}
