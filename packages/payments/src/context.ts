import type { AccountLimits } from './account-limits.js';
import type { Gateway } from './gateway/gateway.js';
import type { FullHost } from './host.js';
import type { LookupBudget } from './lookup-budget.js';
import type { RunningLookups } from './lookups.js';
import type { PaymentObserver } from './observer.js';
import type { RunningWrites } from './retry-write.js';
import type { Clock } from './rules/clock.js';
import type { PaymentLog } from './rules/payment-log.js';
import type { Random } from './rules/random.js';
import type { Database } from './store/database.js';

/** Work that the worker repeats. */
export interface Loop {
  readonly name: string;
  /** Batches that may be in flight at once. */
  readonly maxBatches: number;
  /** Pause after a batch that took nothing, or failed. Default: 500 ms. */
  readonly pauseMs?: number | undefined;
  /** Processes one batch and returns how many items it took. */
  process(stop: AbortSignal): Promise<number>;
}

/** What the use cases decide by. All times are milliseconds. */
export interface PaymentConfig {
  /** Identifies the gateway environment of attempts: both base URLs. */
  readonly environment: string;
  /** Distinguishes API keys without revealing them. */
  readonly keyFingerprint: string;
  /** Without a trailing slash. Customers return below it. */
  readonly publicUrl: string;
  /** How long a payment page is offered. */
  readonly orderTtlMs: number;
  /** Deadline of one outbox job. Below the lease of 120 s. */
  readonly jobDeadlineMs: number;
  /** Whether webhook requests are authenticated, so that only the gateway can post events. */
  readonly webhooksAuthenticated: boolean;
  readonly refunds: 'off' | 'record' | 'gateway';
  /** Whether a refund may be smaller than what can still be refunded. */
  readonly partialRefunds: boolean;
}

/** Dependencies of the use cases. */
export interface PaymentContext {
  readonly db: Database;
  readonly host: FullHost;
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: PaymentLog;
  readonly observer: PaymentObserver;
  readonly config: PaymentConfig;
  /** The loops of the host. */
  readonly loops: readonly Loop[];
  readonly lookups: RunningLookups;
  readonly runningWrites: RunningWrites;
  readonly lookupBudget: LookupBudget;
  readonly accountLimits: AccountLimits;
}
