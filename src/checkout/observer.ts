import { channel } from 'node:diagnostics_channel';
import type { LogFields } from '../domain/event-log.js';
import type { AttemptState, OrderState, PaymentFlow } from '../domain/order.js';
import type { RefundKind, RefundState } from '../domain/refund.js';
import type { GatewayCall, GatewayErrorCode } from '../gateway/errors.js';
import type { Trigger } from './lookups.js';

/** How the webhook endpoint answered a request. */
export const WEBHOOK_ANSWERS = [
  'stored',
  'ignored',
  'too_many',
  'not_authentic',
  'not_configured',
  'unreadable',
  'not_stored',
] as const;
export type WebhookAnswer = (typeof WEBHOOK_ANSWERS)[number];

/** Rate limits: new carts, checkout (per cart, address and in total), admin sign-in, order links and invoice requests. */
export const LIMITS = [
  'cart',
  'order',
  'cart_address',
  'address',
  'all',
  'admin_address',
  'admin_name',
  'admin_code',
  'admin_queue',
  'uploads',
  'find_address',
  'find_order',
  'find_mailbox',
  'find_all',
  'invoice_address',
  'invoice_order',
  'invoice_all',
] as const;
export type LimitName = (typeof LIMITS)[number];

/**
 * Receives metrics. Arguments are fixed names and numbers, never personal data or addresses.
 * Implementations must be fast, must not throw and must not change state.
 */
export interface Observer {
  /** A gateway call ended, retries included; `code` is absent on success. */
  gatewayCalled(call: GatewayCall, ms: number, code?: GatewayErrorCode): void;
  /** An attempt changed its state, and the transaction is committed. */
  attemptChanged(flow: PaymentFlow, state: AttemptState): void;
  /** An order changed its state, and the transaction is committed. */
  orderChanged(to: OrderState, trigger: Trigger): void;
  /** A refund entered a state, and the transaction is committed. */
  refundChanged(kind: RefundKind, state: RefundState): void;
  webhookAnswered(answer: WebhookAnswer): void;
  /** The worker requested a lookup; `allowed` is false if the rate limit refused it. */
  lookupRequested(flow: PaymentFlow, allowed: boolean): void;
  workerRan(ms: number, well: boolean): void;
  limitReached(limit: LimitName): void;
  /** A request ended; `route` is its route class. */
  requestEnded(route: string, status: number, ms: number): void;
  /** A request was refused because the process is overloaded. */
  requestShed(): void;
}

/**
 * Diagnostics channels of Node: a gateway call ended, retries included, and a lookup changed the state of an attempt, after
 * the commit. Their messages have fields of the log's allow-list only, and none is created without a subscriber.
 */
const CHANNELS = { call: channel('tianguis:gateway.call'), settled: channel('tianguis:payment.settled') } as const;

/** Publishes a message. An error of a subscriber is thrown outside of the caller. */
export function publish(name: keyof typeof CHANNELS, fields: () => LogFields): void {
  if (CHANNELS[name].hasSubscribers) CHANNELS[name].publish(fields());
}

/** For a shop without metrics. */
export const silentObserver: Observer = {
  gatewayCalled() {},
  attemptChanged() {},
  orderChanged() {},
  refundChanged() {},
  webhookAnswered() {},
  lookupRequested() {},
  workerRan() {},
  limitReached() {},
  requestEnded() {},
  requestShed() {},
};
