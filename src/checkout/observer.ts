import type { AttemptKind, AttemptState, OrderState } from '../core/order.js';
import type { GatewayCall, GatewayErrorCode } from '../gateway/gateway-error.js';
import type { Trigger } from './trigger.js';

/** How a message of the service was answered. */
export const WEBHOOK_ANSWERS = ['kept', 'not_authentic', 'not_configured', 'unreadable', 'not_kept'] as const;
export type WebhookAnswer = (typeof WEBHOOK_ANSWERS)[number];

/** What may be tried too often: paying, signing in at the desk, asking for an order's link. */
export const LIMITS = [
  'cart',
  'address',
  'all',
  'desk_address',
  'desk_all',
  'find_address',
  'find_all',
] as const;
export type LimitName = (typeof LIMITS)[number];

/**
 * Whoever counts what the shop does. It is told words of the code's own and numbers, never anything of a shopper or of an
 * address; telling it costs next to nothing, cannot fail, and changes nothing.
 */
export interface Observer {
  /** A call to the service with all its retries; without a code it went well. */
  serviceCalled(call: GatewayCall, ms: number, code?: GatewayErrorCode): void;
  /** An attempt came into a state, and that is committed. */
  attemptBecame(kind: AttemptKind, state: AttemptState): void;
  /** A lookup moved an order, and that is committed. */
  orderMoved(to: OrderState, trigger: Trigger): void;
  webhookAnswered(answer: WebhookAnswer): void;
  /** The worker wanted to look an attempt up; whether its budget of the minute allowed it. */
  lookupWanted(kind: AttemptKind, allowed: boolean): void;
  workerTurned(ms: number, well: boolean): void;
  /** Somebody tried too often. */
  limitPassed(limit: LimitName): void;
  /** A request ended; by the class of its route. */
  requestEnded(route: string, status: number, ms: number): void;
  /** A request was refused because the process was crowded. */
  requestShed(): void;
}
