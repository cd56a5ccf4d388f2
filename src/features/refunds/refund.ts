/** Rules of refunds and chargebacks of payment attempts. Pure. */
import { type Centavos, centavos, sum } from '../../domain/money.js';
import { type RefundFacts, type RefundState, refundedTotal } from '../../domain/refund.js';

/** `gateway`: the shop calls the gateway. `record`: the refund was made in the gateway's dashboard. */
export const REFUND_WAYS = ['gateway', 'record', 'chargeback'] as const;
export type RefundWay = (typeof REFUND_WAYS)[number];

/** Maximum length of the typed reason, in characters. */
export const REFUND_REASON_LIMIT = 200;

/** The allowed changes. A final state never changes. */
const CHANGES: Readonly<Record<RefundState, readonly RefundState[]>> = {
  sending: ['succeeded', 'pending', 'refused', 'unknown'],
  pending: ['succeeded', 'refused'],
  unknown: ['succeeded', 'pending', 'refused'],
  succeeded: [],
  refused: [],
  recorded: [],
};

export function mayBecome(from: RefundState, to: RefundState): boolean {
  return CHANGES[from].includes(to);
}

/** Returns what may still be refunded: the confirmed amount minus all refunds of the attempt that are not refused. */
export function refundable(confirmedAmount: Centavos | null, refunds: readonly RefundFacts[]): Centavos {
  const used = sum(refunds.filter(({ state }) => state !== 'refused').map(({ amount }) => amount));
  return centavos(Math.max(0, (confirmedAmount ?? 0) - used));
}

/** Returns whether the refunds of an order returned the whole confirmed amount of this attempt. */
export function isFullyRefunded(
  attempt: { readonly id: string; readonly confirmedAmount: Centavos | null },
  refunds: readonly RefundFacts[],
): boolean {
  const confirmed = attempt.confirmedAmount ?? 0;
  return confirmed > 0 && refundedTotal(refunds.filter(({ attemptId }) => attemptId === attempt.id)) >= confirmed;
}
