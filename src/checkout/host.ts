/**
 * What the payments ask of the application that owns the orders. A host never calls the network or the payments, opens a
 * transaction, uses other queries than those it gets, writes the columns of the payments, or catches a database error.
 */
import type { Transaction } from '../db/database.js';
import type { Order } from '../db/orders.js';
import type { PaymentFlow } from '../domain/order.js';
import type { GatewayLine, Payer } from '../domain/payment.js';
import type { PaymentEvent } from '../domain/transition.js';
import type { LimitName } from './observer.js';

/** What the gateway gets about an order. The lines are positive, and their sum is the total of the order. */
export interface OrderDescription {
  readonly lines: readonly GatewayLine[];
  readonly payer: Payer;
}

/** The goods of an order, locked until the transaction ends. */
export interface LockedGoods {
  readonly available: boolean;
  /** Takes all of them. Called at most once per order, after {@link PaymentHost.applyChange}. */
  take(): Promise<void>;
}

/** One applied event, with the order before and after it. */
export interface AppliedChange {
  readonly before: Order;
  readonly after: Order;
  readonly cause: PaymentEvent['type'];
  readonly at: number;
  /** Absent if the order has no attempt. `isDeclined`: it was live and is declined now. */
  readonly attempt?: {
    readonly id: string;
    readonly ordinal: number;
    readonly flow: PaymentFlow;
    readonly isDeclined: boolean;
  };
}

/** A limit that refuses a start, and the seconds to wait. */
export interface StartRefusal {
  readonly limit: LimitName;
  readonly seconds: number;
}

/** Each call with `tx` runs in the transaction of the payments. */
export interface PaymentHost {
  /**
   * Runs first in a transaction that starts, settles or cancels, before the orders are locked. Locks what orders share that
   * replace each other.
   */
  lockBefore(tx: Transaction, orderIds: readonly string[]): Promise<void>;
  /** Returns what the gateway gets about an order that is about to be paid. */
  describe(tx: Transaction, order: Order): Promise<OrderDescription>;
  /**
   * Runs before an attempt starts or its page is shown again, with the order locked. `until`: an attempt starts, so the goods
   * are set aside until this time. `passed`: what the caller of the start gave for the host. `not_yours`: the order does not
   * belong to that caller any more.
   */
  prepareStart(
    tx: Transaction,
    order: Order,
    start: { readonly until?: number; readonly passed: unknown },
  ): Promise<'ready' | 'sold_out' | 'not_yours'>;
  /** Locks the goods, before money is accepted or after goods arrived. */
  lockGoods(tx: Transaction, order: Order): Promise<LockedGoods>;
  /** Returns whether the goods of this paid order were never taken. */
  lacksGoods(tx: Transaction, order: Order): Promise<boolean>;
  /** Runs once for each applied event, after its rows are written. */
  applyChange(tx: Transaction, change: AppliedChange): Promise<void>;
  /** The gateway offers the first page of an order for longer than asked for. */
  offerExtended(tx: Transaction, order: Order, byMs: number): Promise<void>;
  /** Counts a start just before its gateway call, outside of a transaction. Returns the limit that refuses it. */
  admit(order: Order, flow: PaymentFlow, passed: unknown): Promise<StartRefusal | undefined>;
  /** The card of a caller was declined. */
  noteDecline(passed: unknown): Promise<void>;
}
