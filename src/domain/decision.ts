/** Decisions of an admin user about an order in review. Pure. */
import type { AttentionReason, OrderState } from './order.js';

/**
 * `confirm`: the lookup is repeated; only its result makes an order paid. `refund`: the payment was returned by hand at
 * the gateway. `close`: the admin user found no payment at the gateway.
 */
export const DECISIONS = ['confirm', 'refund', 'close'] as const;
export type MerchantDecision = (typeof DECISIONS)[number];

/** The parts of an order that determine the allowed decisions. */
export interface Undecided {
  readonly state: OrderState;
  readonly attention: AttentionReason | null;
}

/** Returns whether the order needs review. */
export function needsPerson({ state, attention }: Undecided): boolean {
  return attention !== null || state === 'outcome_unknown' || state === 'review';
}

/** Returns the allowed decisions; empty if the order needs no review. */
export function openDecisions(order: Undecided): readonly MerchantDecision[] {
  if (!needsPerson(order)) return [];
  if (order.attention === 'second_payment') return ['refund'];
  const closing = isMoneySeen(order.attention) ? [] : (['close'] as const);
  return order.state === 'paid' ? ['refund', ...closing] : ['confirm', 'refund', ...closing];
}

/** Returns whether the gateway reported a payment that differs from the attempt, or the attempt has another environment. */
function isMoneySeen(attention: AttentionReason | null): boolean {
  return attention?.startsWith('other_') ?? false;
}
