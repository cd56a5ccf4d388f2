/**
 * The tables of the payments, identical in both databases. `rules/attempt.ts` has the columns of the attempts. Times are
 * milliseconds since 1970, amounts are centavos.
 */
import type { Generated } from 'kysely';
import type { Attempt } from '../rules/attempt.js';
import type { Centavos } from '../rules/money.js';
import type { OrderState, ReviewReason } from '../rules/order.js';
import type { RefundKind, RefundState } from '../rules/refund.js';

export interface Timestamps {
  createdAt: number;
  updatedAt: number;
}

/** The columns of `orders` that the payments write or read. A host may have further columns. */
export interface PayableOrdersTable extends Timestamps {
  id: string;
  /** Short and unique; shown to the customer and sent to the gateway. */
  number: string;
  /** The secret part of the order's address. */
  token: string;
  state: OrderState;
  /** Optimistic lock: each update increments it. */
  version: number;
  total: Centavos;
  currency: string;
  /** The review reason: why the order needs a decision of an admin user. */
  reviewReason: ReviewReason | null;
  /** The order that replaced it when the customer changed it. */
  supersededBy: string | null;
  /** Until when the order can be paid. Null: its payment link has ended. */
  payableUntil: number | null;
  paidAttemptId: string | null;
  /** When the customer paid, as the gateway states it; else the time of our lookup. For receipts, sales and tax. */
  paidAt: number | null;
  /** When our lookup confirmed the payment. For lists, jobs and deadlines. */
  confirmedAt: number | null;
}

/** Money that was returned, or is being returned, for one attempt. */
export interface RefundsTable extends Timestamps {
  /** Also the idempotency key of the call. */
  id: string;
  orderId: string;
  attemptId: string;
  kind: RefundKind;
  state: RefundState;
  /** 1 while `sending`, `pending` or `unknown`, else null. A unique index allows one such refund per attempt. */
  inFlight: number | null;
  amount: Centavos;
  /** Typed by the admin user. */
  reason: string;
  /** 1: the goods come back when the paying attempt is fully refunded. */
  returnsStock: number;
  /** The lease of the caller that sends it. */
  leasedUntil: number;
  /** Unique, so that one refund at the gateway counts for one refund here. */
  gatewayRefundId: string | null;
  /** The last status word or error of the gateway. */
  gatewayStatus: string | null;
  /** The day in Mexico City on which the money was returned. Null while it was not. */
  refundedOn: string | null;
  /** The admin user. */
  by: string;
}

/** The history of an order. */
export interface OrderEventsTable {
  id: Generated<number>;
  orderId: string;
  at: number;
  kind: string;
  /** JSON without personal data or secrets. */
  detail: string;
}

/** Stored webhook events. */
export interface InboxTable {
  id: Generated<number>;
  /** SHA-256 of the body. */
  hash: string;
  body: string;
  event: string | null;
  /** `unmatched`: no order was found in time. `failed`: every try to process it failed. */
  state: 'new' | 'done' | 'unmatched' | 'failed';
  tries: number;
  copies: number;
  receivedAt: number;
  nextAt: number;
  doneAt: number | null;
}

/** Jobs that run at least once. */
export interface OutboxTable {
  /** Names the job and its order. Unique, so each job is created once. */
  key: string;
  orderId: string;
  /** A name of the host. */
  job: string;
  tries: number;
  nextAt: number;
  createdAt: number;
  doneAt: number | null;
  /** Name of the last error, or `dropped`. Its message may hold personal data and is not stored. */
  lastError: string | null;
}

/** What the tables of a host have at least if it shares `orders` with the payments. */
export interface SharedTables {
  orders: PayableOrdersTable;
}

export interface PaymentTables extends SharedTables {
  attempts: Attempt;
  refunds: RefundsTable;
  orderEvents: OrderEventsTable;
  inbox: InboxTable;
  outbox: OutboxTable;
}
