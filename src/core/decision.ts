/** What a merchant may decide about an order that no machine can put right. Pure. */
import type { AttemptState, AttentionReason, OrderState } from './order.js';

/**
 * `confirm`: the money is there, ask the service once more; only its own answer makes an order paid. `refund`: money
 * came, and was given back by hand at the service. `close`: looked at the service, no money came.
 */
export const DECISIONS = ['confirm', 'refund', 'close'] as const;
export type MerchantDecision = (typeof DECISIONS)[number];

/** An order as the merchant finds it. */
export interface Undecided {
  readonly state: OrderState;
  readonly attention: AttentionReason | null;
}

/** Whether the order waits for a person. */
export function needsPerson({ state, attention }: Undecided): boolean {
  return attention !== null || state === 'outcome_unknown' || state === 'review';
}

/** The decisions that an order leaves open; none when nothing waits for a person. */
export function openDecisions(order: Undecided): readonly MerchantDecision[] {
  if (!needsPerson(order)) return [];
  if (order.attention === 'second_payment') return ['refund'];
  const closing = isMoneySeen(order.attention) ? [] : (['close'] as const);
  return order.state === 'paid' ? ['refund', ...closing] : ['confirm', 'refund', ...closing];
}

/** The service itself said "paid", though for something else than was promised. */
function isMoneySeen(attention: AttentionReason | null): boolean {
  return attention?.startsWith('other_') ?? false;
}

/** What a decision other than `confirm` does to an attempt; absent: it stays as it is. */
export function endByDecision(
  decision: 'refund' | 'close',
  attempt: { readonly state: AttemptState; readonly paysTheOrder: boolean },
): AttemptState | undefined {
  if (attempt.state === 'held' || attempt.state === 'unknown')
    return decision === 'refund' ? 'refunded' : 'cancelled';
  return decision === 'refund' && attempt.state === 'paid' && !attempt.paysTheOrder ? 'refunded' : undefined;
}
