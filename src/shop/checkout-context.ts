import type { Payments } from '@tianguis/payments';
import type { PaymentIds } from '@tianguis/payments/back-office';
import type { PaymentContext } from '@tianguis/payments/operations';
import type { Config, FeatureConfig } from '../config/config.js';
import type { Database } from '../tables/database.js';
import type { Order } from '../tables/orders.js';
import type { JobName, Schema } from '../tables/schema.js';
import type { DiscountCodes } from './discount-codes.js';
import type { Observer } from './observer.js';
import type { OrderHooks } from './order-hooks.js';
import type { OrderLine } from './rules/cart.js';
import type { EventLog } from './rules/event-log.js';
import type { ShopSettings } from './rules/shop-settings.js';
import type { SettingsSource } from './settings-source.js';
import type { StartLimits } from './start-limits.js';

export interface OrderJob {
  /** Idempotency key of the job, the same at every try. */
  readonly key: string;
  readonly order: Order;
}

/** Input of the outbox jobs that need the lines of an order. */
export interface PaidOrder extends OrderJob {
  readonly lines: readonly OrderLine[];
  /** How the gateway names the payment of the order. Absent before it is paid. */
  readonly payment: PaymentIds | undefined;
  /** False: the payment came late and the products are sold out. The order needs a decision and must not be shipped. */
  readonly stockTaken: boolean;
}

/**
 * Runs an outbox job of an order. A rejected promise is retried. Returns `NOT_NEEDED` if it sent nothing. The signal aborts at the
 * deadline and when the process stops.
 */
export type JobHandler = (
  context: CheckoutContext,
  order: Order,
  job: { readonly key: string; readonly createdAt: number; readonly signal: AbortSignal },
) => Promise<unknown>;

/** Work of the shop that the worker repeats, as a `Loop` of the payments. */
export interface ShopLoop {
  readonly name: string;
  readonly maxBatches: number;
  readonly pauseMs?: number;
  /** Returns the number of processed rows. With 0 the loop pauses, otherwise it runs again at once. Each worker runs it. */
  process(context: CheckoutContext, stop: AbortSignal): Promise<number>;
}

/** The settings of the shop that its use cases read. */
export interface CheckoutSettings extends ShopSettings {
  /** The configuration of this process, and what the merchant changed of it. */
  readonly configDefaults: ShopParts['config'];
  readonly configChanges: Partial<ShopParts['config']>;
}

/** What the shop itself adds to its payments. */
export interface ShopParts {
  readonly db: Database;
  readonly log: EventLog;
  readonly observer: Observer;
  readonly config: Pick<
    Config,
    | keyof FeatureConfig
    | 'environment'
    | 'jobDeadlineMs'
    | 'keyFingerprint'
    | 'locales'
    | 'merchantEmail'
    | 'orderPayableMs'
    | 'orderPrefix'
    | 'orderTtlMs'
    | 'partialRefunds'
    | 'publicUrl'
    | 'refunds'
    | 'webhooksAuthenticated'
  >;
  // The functions that send a mail reject if it could not be handed over.
  /** Sends the receipt of a paid order. */
  sendReceipt(paid: PaidOrder): Promise<void>;
  /** The merchant's own hook (`on-paid.ts`). The signal aborts at the deadline and when the process stops. */
  onPaid(paid: PaidOrder, signal: AbortSignal): Promise<void>;
  /** Returns the path of the page that shows an order to its customer. */
  orderPath(order: Pick<Order, 'token'>): string;
  /** The outbox jobs by name. */
  readonly jobs: Readonly<Partial<Record<JobName, JobHandler>>>;
  /** What the features store together with a change of an order. */
  readonly orderHooks: readonly OrderHooks[];
  /** The worker repeats them. */
  readonly shopLoops: readonly ShopLoop[];
  readonly startLimits: StartLimits;
  /** What the merchant changes in the back office. */
  readonly settings: SettingsSource<CheckoutSettings>;
  /** Absent: the shop has no discount codes, and carts and orders that have one are not offered with it. */
  readonly discountCodes?: DiscountCodes | undefined;
}

/** Dependencies of the use cases of the shop. */
export interface CheckoutContext extends Omit<PaymentContext, keyof ShopParts>, ShopParts {
  readonly payments: Payments<Schema>;
}
