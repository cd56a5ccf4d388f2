/**
 * What the payments ask of the application that owns the orders. A host never calls the network or the payments, opens a
 * transaction, uses other queries than those it gets, writes the columns of the payments, or catches a database error.
 *
 * If a function throws, nothing of it is written. Before a payment starts, the start fails. Later the payments store what they know
 * without the host, and the order is in review with the reason `host_failed`. A manager repeats the change from the order's page.
 * Failures of `offerExtended` and `noteDecline` are logged only. `lockGoods`, `lacksGoods`, `applyChange` and `moneyReturned` have
 * 5 s each. So has `lockBefore`, unless a person starts, cancels, replaces or records. Other functions with `tx` have the 15 s of
 * the transaction.
 *
 * A fault of the database fails the whole transaction. It is repeated while an answer of the gateway is stored and given
 * to the host. Elsewhere the request fails and may be repeated.
 */

import type { Admission } from './account-limits.js';
import type { Tx } from './database/database.js';
import { withoutTablePrefix } from './database/table-prefix.js';
import type { AttemptFlow, PaymentFlow } from './rules/order.js';
import type { GatewayLine, Payer } from './rules/payment.js';
import type { PaymentEvent } from './rules/transition.js';
import type { DbOf, OrderOf } from './store/database.js';
import { lockLinkedOrders } from './store/orders.js';
import type { PaymentTables } from './store/tables.js';

/** What the gateway gets about an order. The lines are positive, and their sum is the total of the order. */
export interface OrderDescription {
  readonly lines: readonly GatewayLine[];
  readonly payer: Payer;
}

/** The goods of an order, locked until the transaction ends. */
export interface LockedGoods {
  readonly available: boolean;
  /** Takes all of them, after {@link PaymentHost.applyChange}: when the order becomes paid, or later by a decision. */
  take(): Promise<void>;
}

/** One applied event, with the order before and after it. */
export interface AppliedChange<O> {
  /** With the cause `change_repeated`: the order before the first change that the host missed. */
  readonly before: O;
  readonly after: O;
  readonly cause: PaymentEvent['type'];
  readonly at: number;
  /** Absent if the order has no attempt. `isDeclined`: it was live and is declined now. */
  readonly attempt?: {
    readonly id: string;
    readonly ordinal: number;
    readonly flow: AttemptFlow;
    readonly isDeclined: boolean;
  };
}

/** A refund that succeeded or was recorded. */
export interface ReturnedMoney {
  readonly refundId: string;
  /** The whole payment is returned now. */
  readonly isFull: boolean;
  /** The payment is the one that paid the order. Otherwise the customer paid more than once. */
  readonly paidTheOrder: boolean;
  /** The admin user chose that the goods come back. */
  readonly returnsGoods: boolean;
  /** A payment past the gateway was taken back. */
  readonly isReversal?: boolean;
}

/** What a job returns that did nothing, because nothing needs it any more. */
export const NOT_NEEDED = 'not_needed';

/** An outbox job of an order. */
export interface HostJob {
  /** Idempotency key of the job, the same at every try. */
  readonly key: string;
  readonly createdAt: number;
  /** Aborts at the deadline of the job and when the process stops. */
  readonly signal: AbortSignal;
}

export interface HostAnswers<T> {
  /** Returns what the gateway gets about an order that is about to be paid. */
  describe(tx: Tx<T>, order: OrderOf<T>): Promise<OrderDescription>;
  /**
   * Runs first in a transaction that starts, verifies or cancels, gives a stored answer to `applyChange`, or repeats a change.
   * The orders are locked after it. Locks what orders share that replace each other. Default: the orders themselves.
   */
  lockBefore?(tx: Tx<T>, orderIds: readonly string[]): Promise<void>;
  /**
   * Runs before an attempt starts or its page is shown again, with the order locked. `until`: an attempt starts, so the goods
   * are set aside until this time. `passed`: what the caller of the start gave for the host. `not_yours`: the order does not
   * belong to that caller any more. `not_offered`: the host does not offer the order at its total any more.
   */
  prepareStart?(
    tx: Tx<T>,
    order: OrderOf<T>,
    start: { readonly until?: number; readonly passed: unknown },
  ): Promise<'ready' | 'sold_out' | 'not_offered' | 'not_yours'>;
  /** Locks the goods, before money is accepted or after goods arrived. */
  lockGoods?(tx: Tx<T>, order: OrderOf<T>): Promise<LockedGoods>;
  /**
   * Returns whether the goods of this order, which was paid, are not taken: they never were, or they came back. A page asks
   * without a transaction.
   */
  lacksGoods?(queries: DbOf<T>, order: OrderOf<T>): Promise<boolean>;
  /**
   * Runs once for each event that changed the order or the attempt's state, after the rows are written. An answer of the gateway is stored
   * first: then it runs in a transaction of its own, not if the order changed meanwhile, and not if the process stops before. It
   * must be safe to repeat: with the cause `change_repeated` a part of the change may be done.
   */
  applyChange?(tx: Tx<T>, change: AppliedChange<OrderOf<T>>): Promise<void>;
  /** Events after which `applyChange` does nothing. They cost no transaction and no savepoint. None of them may take goods. */
  readonly ignoredEvents?: readonly PaymentEvent['type'][];
  /** The gateway offers the first page of an order for longer than asked for. */
  offerExtended?(tx: Tx<T>, order: OrderOf<T>, byMs: number): Promise<void>;
  /**
   * Runs once for each refund that returned money, in its transaction with the order locked. A chargeback is none. If it failed,
   * it runs again when a manager repeats the change.
   */
  moneyReturned?(tx: Tx<T>, order: OrderOf<T>, returned: ReturnedMoney): Promise<void>;
  /**
   * Counts a start for its client, just before its gateway call and outside of a transaction. Returns the limit that refuses
   * it, or how it counts for the account.
   */
  admit?(order: OrderOf<T>, flow: PaymentFlow, passed: unknown): Promise<Admission | undefined>;
  /** The card of a caller was declined. */
  noteDecline?(passed: unknown): Promise<void>;
  /** Returns the path of the page that shows the order to the customer. */
  orderPath(order: OrderOf<T>): string;
  /**
   * The outbox jobs by name. Each runs at least once, outside of a transaction. A rejected promise is retried. The history says
   * that the job was done, unless it returns {@link NOT_NEEDED}. A queued job whose name is absent is dropped after 24 h.
   */
  readonly jobs?: Readonly<Record<string, (order: OrderOf<T>, job: HostJob) => Promise<unknown>>>;
}

/** Each optional member may be `undefined` too, so that a host may compile with `exactOptionalPropertyTypes`. */
export type OrUndefined<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/** `T`: the tables of the host. Each call with `tx` runs in the transaction of the payments. */
export type PaymentHost<T = PaymentTables> = OrUndefined<HostAnswers<T>>;

/** A host that answers everything. */
export type FullHost = Required<HostAnswers<PaymentTables>>;

/** Adds what a host without goods, limits and jobs leaves out. */
export function fullHostOf<T>(host: PaymentHost<T>): FullHost {
  const nothing = () => Promise.resolve(undefined);
  const defaults: Omit<FullHost, 'describe' | 'orderPath'> = {
    lockBefore: lockLinkedOrders,
    prepareStart: () => Promise.resolve('ready'),
    lockGoods: () => Promise.resolve({ available: true, take: nothing }),
    lacksGoods: () => Promise.resolve(false),
    applyChange: nothing,
    ignoredEvents: [],
    offerExtended: nothing,
    moneyReturned: nothing,
    admit: nothing,
    noteDecline: nothing,
    jobs: {},
  };
  const given = Object.fromEntries(Object.entries(host).filter(([, answer]) => answer !== undefined));
  // The rows have all columns of the host.
  return { ...defaults, ...(given as unknown as FullHost) };
}

/** Returns a host that gets transactions in which its own tables have their names. */
export function hostWithoutPrefix(host: FullHost): FullHost {
  const own =
    <Q extends object, A extends readonly unknown[], R>(ask: (queries: Q, ...rest: A) => R) =>
    (queries: Q, ...rest: A): R =>
      ask(withoutTablePrefix(queries), ...rest);
  return {
    ...host,
    describe: own(host.describe),
    lockBefore: host.lockBefore === lockLinkedOrders ? lockLinkedOrders : own(host.lockBefore),
    prepareStart: own(host.prepareStart),
    lockGoods: own(host.lockGoods),
    lacksGoods: own(host.lacksGoods),
    applyChange: own(host.applyChange),
    offerExtended: own(host.offerExtended),
    moneyReturned: own(host.moneyReturned),
  };
}
