import type { OrderLine } from '../core/cart.js';
import type { EventLog } from '../core/event-log.js';
import type { Gateway } from '../gateway/gateway.js';
import type { Database } from '../store/database.js';
import type { Order } from '../store/orders.js';
import type { Observer } from './observer.js';

/** Milliseconds since 1970; the tests move it. */
export interface Clock {
  now(): number;
}

export interface CheckoutPolicy {
  /** How long an order's payment page may live, in milliseconds. */
  readonly orderTtlMs: number;
  /** How long name and e-mail stay with an order, in milliseconds; absent: always. */
  readonly personalDataMs?: number;
  /** The shop's own address, without a trailing slash. */
  readonly publicUrl: string;
  /** Names the service that attempts are made at. */
  readonly environment: string;
  /** Whether a message that got in must have come from the service. */
  readonly webhooksAuthenticated: boolean;
  /** How long one caller may take to start a payment before another may take over, in milliseconds. */
  readonly claimMs: { readonly hosted: number; readonly card: number };
}

/** What the effects of `paid` are given. */
export interface PaidOrder {
  /** Names the effect: the same at every try. */
  readonly key: string;
  readonly order: Order;
  readonly lines: readonly OrderLine[];
}

/** What every flow works with. */
export interface CheckoutServices {
  readonly db: Database;
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly log: EventLog;
  readonly observer: Observer;
  readonly policy: CheckoutPolicy;
  /** Sends the receipt of a paid order; rejects when it could not be handed over. */
  sendReceipt(paid: PaidOrder): Promise<void>;
  /** Sends the link of an order to its own address; rejects when it could not be handed over. */
  sendOrderLink(order: Order, key: string): Promise<void>;
  /** Lookups under way in this process, by attempt: whoever else asks waits for the same answer. */
  readonly lookups: Map<string, Promise<boolean>>;
}
