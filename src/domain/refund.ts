/** Refunds and chargebacks of one payment attempt. Pure. */
import { type Centavos, CURRENCY, centavos, sum } from './money.js';

/**
 * `sending`: committed, and its gateway call may be in flight. `pending`: the gateway works on it. `unknown`: the answer was
 * lost, so the money may have been returned. `recorded`: returned outside of the shop. `refused`: nothing was returned.
 */
export const REFUND_STATES = ['sending', 'succeeded', 'pending', 'refused', 'unknown', 'recorded'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** `chargeback`: the customer's bank took the money back. */
export type RefundKind = 'refund' | 'chargeback';

/** `record`: refunds are made in the gateway's dashboard and recorded here. `gateway`: card payments call the gateway. */
export const REFUND_MODES = ['off', 'record', 'gateway'] as const;
export type RefundMode = (typeof REFUND_MODES)[number];

/** Maximum length of the typed reason, in characters. */
export const REFUND_REASON_LIMIT = 200;

/** The part of a refund that the rules need. */
export interface RefundFacts {
  readonly attemptId: string;
  readonly kind: RefundKind;
  readonly state: RefundState;
  readonly amount: Centavos;
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

/** Returns whether a refund may change from one state to another. */
export function mayBecome(from: RefundState, to: RefundState): boolean {
  return CHANGES[from].includes(to);
}

/** Returns whether it is not decided yet if the money is returned. */
export function isInFlight(state: RefundState): boolean {
  return CHANGES[state].length > 0;
}

/** Returns what may still be refunded: the confirmed amount minus all refunds that are not refused. */
export function refundable(
  confirmedAmount: Centavos | null,
  refunds: readonly Pick<RefundFacts, 'state' | 'amount'>[],
): Centavos {
  const used = sum(refunds.filter(({ state }) => state !== 'refused').map(({ amount }) => amount));
  return centavos(Math.max(0, (confirmedAmount ?? 0) - used));
}

/** Returns the sum that was returned to the customer. Chargebacks are not included. */
export function refundedTotal(refunds: readonly Omit<RefundFacts, 'attemptId'>[]): Centavos {
  const returned = refunds.filter(
    ({ kind, state }) => kind === 'refund' && (state === 'succeeded' || state === 'recorded'),
  );
  return sum(returned.map(({ amount }) => amount));
}

/** Returns whether these refunds of one attempt returned the whole confirmed amount. */
export function isFullyRefunded(
  confirmedAmount: Centavos | null,
  refunds: readonly Omit<RefundFacts, 'attemptId'>[],
): boolean {
  return confirmedAmount !== null && confirmedAmount > 0 && refundedTotal(refunds) >= confirmedAmount;
}

/** An authenticated gateway response about one refund. Missing or unreadable members are absent. */
export interface GatewayRefund {
  readonly id: string;
  /** `unclear`: a status that is not published. */
  readonly status: 'succeeded' | 'pending' | 'refused' | 'unclear';
  /** Whether the gateway names the operation a refund. */
  readonly isRefund: boolean;
  /** The id of the refunded payment. */
  readonly paymentId?: string;
  readonly amount?: Centavos;
  readonly currency?: string;
  /** The gateway's own status word, for the order's history. */
  readonly gatewayStatus: string;
}

/** Returns the gateway's result for a refund of this payment and amount; `undefined` if it differs or is unclear. */
export function evaluateRefund(
  refund: GatewayRefund,
  expected: { readonly paymentId: string; readonly amount: Centavos },
): 'succeeded' | 'pending' | 'refused' | undefined {
  const { status, isRefund, paymentId, amount, currency = CURRENCY } = refund;
  const isSame = isRefund && paymentId === expected.paymentId && amount === expected.amount;
  return isSame && currency === CURRENCY && status !== 'unclear' ? status : undefined;
}
