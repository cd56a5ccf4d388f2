import type { Config } from '../config/config.js';
import type { PaymentIds } from '../db/attempts.js';
import type { Database, Queries } from '../db/database.js';
import type { Order } from '../db/orders.js';
import type { JobName } from '../db/schema.js';
import type { OrderLine } from '../domain/cart.js';
import type { EventLog } from '../domain/event-log.js';
import type { Random } from '../domain/random.js';
import type { Gateway } from '../gateway/gateway.js';
import type { WebhookHint } from '../gateway/webhook-event.js';
import type { PaymentHost } from './host.js';
import type { LookupBudget } from './lookup-budget.js';
import type { RunningLookups } from './lookups.js';
import type { Observer } from './observer.js';
import type { RunningWrites } from './retry-write.js';
import type { StartLimits } from './start-limits.js';

/** Milliseconds since 1970. Tests replace it. */
export interface Clock {
  now(): number;
}

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

/** Runs an outbox job of an order. A rejected promise is retried. The signal aborts at the deadline and when the process stops. */
export type JobHandler = (
  context: CheckoutContext,
  order: Order,
  job: { readonly key: string; readonly createdAt: number; readonly signal: AbortSignal },
) => Promise<void>;

/** Work that the worker repeats. */
export interface Loop {
  readonly name: string;
  /** Batches that may be in flight at once. */
  readonly maxBatches: number;
  /** Pause after a batch that took nothing, or failed. Default: 500 ms. */
  readonly pauseMs?: number;
  /** Processes one batch and returns how many items it took. */
  process(context: CheckoutContext, stop: AbortSignal): Promise<number>;
}

/** Removes the personal data that a feature holds of these locked orders. Runs in the transaction of the erasure. */
export type Eraser = (queries: Queries, orderIds: readonly string[]) => Promise<void>;

/**
 * Handles an authenticated webhook event. `not_ours`: the event is about something else. `unreachable`: the gateway did not
 * respond, so the event is retried.
 */
export type WebhookHandler = (
  context: CheckoutContext,
  hint: WebhookHint,
) => Promise<'settled' | 'not_ours' | 'unreachable'>;

/** Dependencies of the checkout use cases. */
export interface CheckoutContext {
  readonly db: Database;
  readonly host: PaymentHost;
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: EventLog;
  readonly observer: Observer;
  readonly config: Pick<
    Config,
    | 'environment'
    | 'invoiceMonths'
    | 'jobDeadlineMs'
    | 'keyFingerprint'
    | 'merchantEmail'
    | 'orderPayableMs'
    | 'orderPrefix'
    | 'orderTtlMs'
    | 'partialRefunds'
    | 'piiRetentionMs'
    | 'publicUrl'
    | 'refunds'
    | 'reminderMs'
    | 'webhooksAuthenticated'
  >;
  // The functions that send a mail reject if it could not be handed over.
  /** Sends the receipt of a paid order. */
  sendReceipt(paid: PaidOrder): Promise<void>;
  /** The merchant's own hook (`on-paid.ts`). The signal aborts at the deadline and when the process stops. */
  onPaid(paid: PaidOrder, signal: AbortSignal): Promise<void>;
  /** The outbox jobs by name. */
  readonly jobs: Readonly<Partial<Record<JobName, JobHandler>>>;
  /** The loops of the features. */
  readonly loops: readonly Loop[];
  /** The erasers of the features. */
  readonly erasers: readonly Eraser[];
  /** The webhook handlers of the features. They run before the core resolves the orders of an event. */
  readonly webhookHandlers: readonly WebhookHandler[];
  /** Returns whether a feature can return a confirmed payment of the order. */
  isRefundable(queries: Queries, config: Pick<Config, 'environment' | 'refunds'>, order: Order): Promise<boolean>;
  readonly lookups: RunningLookups;
  readonly runningWrites: RunningWrites;
  readonly lookupBudget: LookupBudget;
  readonly startLimits: StartLimits;
}
