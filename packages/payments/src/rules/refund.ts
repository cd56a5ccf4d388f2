/** States and rules of refunds and chargebacks of payment attempts. Pure. */
import { type Centavos, centavos, sum } from './money.js';

/**
 * `sending`: committed, and its gateway call may be in flight. `pending`: the gateway works on it. `unknown`: the response was
 * lost, so the money may have been returned. `recorded`: returned outside of the shop. `refused`: nothing was returned.
 */
export const REFUND_STATES = ['sending', 'succeeded', 'pending', 'refused', 'unknown', 'recorded'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** `chargeback`: the customer's bank took the money back. `reversal`: the whole payment past the gateway was taken back. */
export type RefundKind = 'refund' | 'chargeback' | 'reversal';

/** `gateway`: the shop calls the gateway. `record`: the refund was made in the gateway's dashboard, or as the order was paid. */
export const REFUND_WAYS = ['gateway', 'record', 'chargeback'] as const;
export type RefundWay = (typeof REFUND_WAYS)[number];

/** Maximum length of the typed reason, in characters. */
export const REFUND_REASON_LIMIT = 200;

/** `record`: refunds are made in the gateway's dashboard and recorded here. `gateway`: card payments call the gateway. */
export const REFUND_MODES = ['off', 'record', 'gateway'] as const;

export interface RefundFacts {
  readonly attemptId: string;
  readonly kind: RefundKind;
  readonly state: RefundState;
  readonly amount: Centavos;
}

/** The result of one call about a refund. `unknown`: it does not prove what happened to this refund. */
export interface RefundOutcome {
  readonly state: 'succeeded' | 'pending' | 'refused' | 'unknown';
  /** The gateway's own status word, or the code of an error. */
  readonly gatewayStatus?: string;
  readonly gatewayRefundId?: string;
}

const IN_FLIGHT: readonly RefundState[] = ['sending', 'pending', 'unknown'];

/** Returns whether it is not decided yet if the money is returned. */
export function isInFlight(state: RefundState): boolean {
  return IN_FLIGHT.includes(state);
}

/** Returns the sum that was returned to the customer. Chargebacks and reversals are not included. */
export function refundedTotal(refunds: readonly RefundFacts[]): Centavos {
  return totalOf(refunds, ['refund']);
}

function totalOf(refunds: readonly RefundFacts[], kinds: readonly RefundKind[]): Centavos {
  const returned = refunds.filter(
    ({ kind, state }) => kinds.includes(kind) && (state === 'succeeded' || state === 'recorded'),
  );
  return sum(returned.map(({ amount }) => amount));
}

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

/** Returns whether refunds or a reversal returned the whole confirmed amount of this attempt. */
export function isFullyRefunded(
  attempt: { readonly id: string; readonly confirmedAmount: Centavos | null },
  refunds: readonly RefundFacts[],
): boolean {
  const confirmed = attempt.confirmedAmount ?? 0;
  const own = refunds.filter(({ attemptId }) => attemptId === attempt.id);
  return confirmed > 0 && totalOf(own, ['refund', 'reversal']) >= confirmed;
}
