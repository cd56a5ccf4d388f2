/** States of refunds and chargebacks. Their rules are in `src/features/refunds/refund.ts`. Pure. */
import { type Centavos, sum } from './money.js';

/**
 * `sending`: committed, and its gateway call may be in flight. `pending`: the gateway works on it. `unknown`: the response was
 * lost, so the money may have been returned. `recorded`: returned outside of the shop. `refused`: nothing was returned.
 */
export const REFUND_STATES = ['sending', 'succeeded', 'pending', 'refused', 'unknown', 'recorded'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** `chargeback`: the customer's bank took the money back. */
export type RefundKind = 'refund' | 'chargeback';

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

/** Returns the sum that was returned to the customer. Chargebacks are not included. */
export function refundedTotal(refunds: readonly RefundFacts[]): Centavos {
  const returned = refunds.filter(
    ({ kind, state }) => kind === 'refund' && (state === 'succeeded' || state === 'recorded'),
  );
  return sum(returned.map(({ amount }) => amount));
}
