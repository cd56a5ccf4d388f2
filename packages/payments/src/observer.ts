import { channel } from 'node:diagnostics_channel';
import type { GatewayCall, GatewayErrorCode } from './gateway/errors.js';
import type { Trigger } from './rules/lookup.js';
import type { AttemptFlow, AttemptState, OrderState } from './rules/order.js';
import type { PaymentLogFields } from './rules/payment-log.js';
import type { RefundKind, RefundState } from './rules/refund.js';

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

/**
 * Receives metrics. Arguments are fixed names and numbers, never personal data or addresses.
 * Implementations must be fast, must not throw and must not change state.
 */
export interface PaymentObserver {
  /** A gateway call ended, retries included; `code` is absent on success. */
  gatewayCalled(call: GatewayCall, ms: number, code?: GatewayErrorCode): void;
  /** An attempt changed its state, and the transaction is committed. */
  attemptChanged(flow: AttemptFlow, state: AttemptState): void;
  /** An order changed its state, and the transaction is committed. */
  orderChanged(to: OrderState, trigger: Trigger): void;
  /** A refund entered a state, and the transaction is committed. */
  refundChanged(kind: RefundKind, state: RefundState): void;
  webhookAnswered(answer: WebhookAnswer): void;
  /** The worker requested a lookup; `allowed` is false if the rate limit refused it. */
  lookupRequested(flow: AttemptFlow, allowed: boolean): void;
  workerRan(ms: number, well: boolean): void;
}

/**
 * Diagnostics channels of Node: a gateway call ended, retries included, and a lookup changed the state of an attempt, after
 * the commit. Their messages have fields of the log's allow-list only, and none is created without a subscriber.
 */
const CHANNELS = { call: channel('tianguis:gateway.call'), verified: channel('tianguis:payment.settled') } as const;

/** Publishes a message. An error of a subscriber is thrown outside of the caller. */
export function publish(name: keyof typeof CHANNELS, fields: () => PaymentLogFields): void {
  if (CHANNELS[name].hasSubscribers) CHANNELS[name].publish(fields());
}

/** For a program without metrics. */
export const silentPayments: PaymentObserver = {
  gatewayCalled() {},
  attemptChanged() {},
  orderChanged() {},
  refundChanged() {},
  webhookAnswered() {},
  lookupRequested() {},
  workerRan() {},
};
