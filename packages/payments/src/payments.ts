import type { Router } from 'express';
import { type CancelRequest, type CancelResult, cancelUnpaidOrder } from './cancel-unpaid-order.js';
import type { PaymentContext } from './context.js';
import type { Tx } from './database/database.js';
import { tablePrefixOf } from './database/database-prefix.js';
import { prefixTransaction, withoutTablePrefix } from './database/table-prefix.js';
import { type DecisionRequest, type DecisionResult, decideOrder } from './decide-order.js';
import { eraseEvents } from './erase-events.js';
import { findRefusal, type OrderRefusal } from './find-refusal.js';
import { type PaymentRouteOptions, paymentRoutes } from './payment-routes.js';
import { type PlaceRequest, type PlaceResult, placeOrder } from './place-order.js';
import { type OutsideRequest, type OutsideResult, recordOutsidePayment } from './record-outside-payment.js';
import { findRefundOptions, isRefundable, type RefundOption } from './refund-options.js';
import { type RefundRequest, type RefundResult, refundPayment } from './refund-payment.js';
import { replaceOrder } from './replace-order.js';
import { type ReplacementRequest, type ReplacementResult, replaceUnpaidOrder } from './replace-unpaid-order.js';
import { type ResolveRequest, type ResolveResult, resolveRefund } from './resolve-refund.js';
import { waitForWrites } from './retry-write.js';
import type { Attempt } from './rules/attempt.js';
import type { CardTokens } from './rules/card-data.js';
import { findOutsideObjection, findReplacementObjection } from './rules/decide-outside.js';
import { findByToken } from './rules/ids.js';
import type { Trigger } from './rules/lookup.js';
import type { PaymentLog } from './rules/payment-log.js';
import { startWorker, type WorkerOptions } from './run-worker.js';
import type { Started, StartOptions } from './start-attempt.js';
import { startCard, type TokenizerAccess, type TokenizerRequest, tokenizerAccess } from './start-card.js';
import { startHosted } from './start-hosted.js';
import { findAttempts } from './store/attempts.js';
import { assertPaymentTables } from './store/check-tables.js';
import type { OrderOf, Transaction } from './store/database.js';
import {
  findHistory,
  findOrder,
  findOrderByToken,
  type HistoryEntry,
  lockOrder,
  type Order,
  type OrderEvent,
  recordEvent,
} from './store/orders.js';
import { type QueuedJob, queueJob } from './store/outbox.js';
import { findRefunds, type Refund } from './store/refunds.js';
import { PAYMENT_TABLES } from './store/table-sql.js';
import type { PaymentTables } from './store/tables.js';
import { type ShownPayment, showPayment } from './unmatched-events.js';
import { type Verified, verifyPayment } from './verify-payment.js';
import { type OrderView, viewOf } from './view-payment.js';

/**
 * What a host does with its payments. `T`: the tables of the host. Throws `PaymentError` where it says so.
 * Disposal waits for answers of the gateway that are still being stored, at most 46 s, and closes idle connections. Dispose of the
 * worker before, and of the database after it.
 */
export interface Payments<T = PaymentTables> extends AsyncDisposable {
  /**
   * Places the order of a cart, or returns the one that it has. Asks the gateway about orders of an earlier content, which the new
   * order replaces. Safe to repeat: a double click gets the same order. Throws `PaymentError` `busy`.
   */
  place<F extends { readonly id: string }>(request: PlaceRequest<T, F>): Promise<PlaceResult<OrderOf<T>>>;
  /**
   * Creates the checkout session of an order, or returns the open one. Safe to repeat: a double click gets the same URL.
   * Throws `PaymentError`; the order stays, and the customer may try again.
   */
  startHosted(orderId: string, options?: StartOptions): Promise<Started<OrderOf<T>>>;
  /**
   * Sends at most one card payment for an order. Throws `PaymentError` only if this try provably charged no card. An earlier
   * attempt of the order may be charged.
   */
  startCard(orderId: string, tokens: CardTokens, options?: StartOptions): Promise<Started<OrderOf<T>>>;
  /**
   * Looks up each attempt of an order that may still change, and applies the answers. Nothing else makes an order paid. A gateway
   * fault does not throw. Throws if the order does not exist or the database fails.
   */
  verify(orderId: string, trigger: Trigger): Promise<Verified<OrderOf<T>>>;
  /**
   * Looks up an order that is not paid, as a page that refreshes itself may, and returns how its payments stand, as codes. If the
   * database fails during the lookup, the view is that of the given row.
   */
  viewOf(order: Order): Promise<OrderView<OrderOf<T>>>;
  /** Returns a short-lived token with which the customer's browser may call the tokenizer. */
  accessToken(request?: TokenizerRequest): Promise<TokenizerAccess>;
  /** Returns `GET` and `POST /checkout/return/:token` and `POST /webhooks/payments`. They stand before session and body parsers. */
  routes(options: PaymentRouteOptions<OrderOf<T>>): Router;
  /** Ends a locked order that a new one replaces. Call it in the transaction that inserts the new one, after `lockBefore`. */
  replaceOrder(tx: Tx<T>, earlier: Order, successor: Order): Promise<void>;
  /** The replacement of an unpaid order by a new one, as a person decides. */
  readonly replacement: {
    /** Returns why the order must not be replaced now, or `undefined`. Calls no gateway. */
    refusal(order: Order): Promise<OrderRefusal | undefined>;
    /** Replaces the order by one that `place` inserts. Looks up each attempt that has not ended first. */
    replace<O extends Order>(request: ReplacementRequest<T, O>): Promise<ReplacementResult<O>>;
  };
  /** Cancels an unpaid order and ends its payment link. */
  cancel(request: CancelRequest): Promise<CancelResult>;
  /** Payments past the gateway, such as cash and bank transfers. */
  readonly outside: {
    /** Returns why an order must not be recorded as paid past the gateway now, or `undefined`. Calls no gateway. */
    refusal(order: Order): Promise<OrderRefusal | undefined>;
    /** Records that an unpaid order was paid past the gateway, as a person says. Looks up each attempt that has not ended first. */
    record(request: OutsideRequest): Promise<OutsideResult>;
  };
  /** Applies a decision of a person about an order in review. */
  decide(request: DecisionRequest): Promise<DecisionResult>;
  /** Money that goes back. */
  readonly refunds: {
    /** Returns the payments of an order of which something may be refunded, and how. */
    options(order: Order): Promise<readonly RefundOption[]>;
    /** Returns whether a confirmed payment of the order may be refunded. Does not ask the host. */
    isPossible(order: Order): Promise<boolean>;
    /** Refunds a card payment at the gateway, at most once, or records a refund or chargeback that was made elsewhere. */
    refund(request: RefundRequest): Promise<RefundResult<OrderOf<T>>>;
    /** Ends a refund whose answer was lost, as a person says. */
    resolve(request: ResolveRequest): Promise<ResolveResult>;
  };
  /** Deletes the processed webhook events that name these orders. Call it after the host erased its own data of a customer. */
  eraseEvents(orderIds: readonly string[]): Promise<void>;
  /** Asks the gateway for the payment with this id, for a person who reads it. Changes no order. The caller limits the rate. */
  showPayment(gatewayId: string): Promise<ShownPayment>;
  /** Whether the gateway refuses the API key now. */
  isKeyRefused(): boolean;
  /**
   * The rows of the payments, also beside a host's own table of the same name. Without `tx` they are read outside of a transaction.
   * Inside of one, that is refused.
   */
  readonly orders: {
    /** Returns the order with this id. */
    find(id: string, tx?: Tx<T>): Promise<OrderOf<T> | undefined>;
    /**
     * Returns the order with the token of a link, without the signs that follow it there. An older token may lack the hyphen or
     * underscore at its end.
     */
    findByToken(token: string): Promise<OrderOf<T> | undefined>;
    /** Locks the order until the transaction ends, and returns it. Throws if it does not exist. */
    lock(tx: Tx<T>, id: string): Promise<OrderOf<T>>;
    /** Returns the history of an order, oldest first. */
    history(id: string, tx?: Tx<T>): Promise<readonly HistoryEntry[]>;
    /** Returns all attempts of an order, oldest first. */
    attempts(id: string, tx?: Tx<T>): Promise<readonly Attempt[]>;
    /** Returns all refunds of an order, oldest first. Only those that succeeded or were recorded returned money. */
    refunds(id: string, tx?: Tx<T>): Promise<readonly Refund[]>;
  };
  /** Queues an outbox job of the host. Does nothing if one with this key exists. */
  queueJob(tx: Tx<T>, job: QueuedJob): Promise<void>;
  /** Adds an entry to the history of a locked order. */
  recordEvent(tx: Tx<T>, event: OrderEvent): Promise<void>;
  /** Runs the background work until it is disposed of, or the signal aborts. */
  startWorker(options?: WorkerOptions): AsyncDisposable;
  /** Throws unless the database answers and has the payments' tables. The error names each table and column that is missing. */
  assertTables(): Promise<void>;
  /** Returns the same payments with another log, such as that of a request. */
  withLog(log: PaymentLog): Payments<T>;
  /** What the use cases of this folder get. The tests of the payments use it; a host does not. */
  readonly context: PaymentContext;
}

/** Returns the door to these use cases. */
export function paymentsOf<T>(context: PaymentContext): Payments<T> {
  const tablePrefix = tablePrefixOf(context.db.queries);
  /** The host's transactions name its own tables. */
  const own = (tx: Transaction) => prefixTransaction(tx, tablePrefix, PAYMENT_TABLES);
  const { queries } = context.db;
  const read = (tx: Transaction | undefined) => (tx ? own(tx) : queries);
  const payments: Payments = {
    place: (request) => placeOrder(context, request),
    startHosted: (orderId, options = {}) => startHosted(context, orderId, options),
    startCard: (orderId, tokens, options = {}) => startCard(context, orderId, tokens, options),
    verify: (orderId, trigger) => verifyPayment(context, orderId, trigger),
    viewOf: (order) => viewOf(context, order),
    accessToken: (request = { isRefused: false }) => tokenizerAccess(context, request),
    routes: (options) => paymentRoutes(context, options),
    replaceOrder: (tx, earlier, successor) => replaceOrder(own(tx), context, { earlier, successor }),
    replacement: {
      refusal: (order) => findRefusal(queries, context, { order, rule: findReplacementObjection }),
      replace: (request) => replaceUnpaidOrder(context, request),
    },
    cancel: (request) => cancelUnpaidOrder(context, request),
    outside: {
      refusal: (order) => findRefusal(queries, context, { order, rule: findOutsideObjection }),
      record: (request) => recordOutsidePayment(context, request),
    },
    decide: (request) => decideOrder(context, request),
    refunds: {
      options: (order) => findRefundOptions(queries, context, order),
      isPossible: (order) => isRefundable(queries, context, order),
      refund: (request) => refundPayment(context, request),
      resolve: (request) => resolveRefund(context, request),
    },
    eraseEvents: (orderIds) => eraseEvents(context, orderIds),
    showPayment: (gatewayId) => showPayment(context, gatewayId),
    isKeyRefused: () => context.gateway.isKeyRefused(),
    orders: {
      find: (id, tx) => findOrder(read(tx), id),
      findByToken: (text) => findByToken(text, (token) => findOrderByToken(queries, token)),
      lock: (tx, id) => lockOrder(own(tx), id),
      history: (id, tx) => findHistory(read(tx), id),
      attempts: (id, tx) => findAttempts(read(tx), id),
      refunds: (id, tx) => findRefunds(read(tx), id),
    },
    queueJob: (tx, job) => queueJob(own(tx), job),
    recordEvent: (tx, event) => recordEvent(own(tx), event),
    startWorker: (options) => startWorker(context, options),
    assertTables: () => assertPaymentTables(withoutTablePrefix(queries)),
    context,
    withLog: (log) => paymentsOf({ ...context, log }),
    async [Symbol.asyncDispose]() {
      const shutdown = new AbortController();
      const untilWritten = waitForWrites(context, shutdown.signal);
      shutdown.abort();
      await untilWritten();
      context.gateway[Symbol.dispose]();
    },
  };
  // The rows have all columns of the host.
  return payments as unknown as Payments<T>;
}
