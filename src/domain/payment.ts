/** Evaluates a gateway payment against its attempt. Pure. The only place that returns `paid`. */
import { type Centavos, CURRENCY } from './money.js';
import type { PaymentFlow, PaymentReviewReason } from './order.js';

/** Normalized gateway status. `unclear`: the interface does not define the status or the combination. */
export type PaymentStatus = 'paid' | 'pending' | 'declined' | 'expired' | 'cancelled' | 'unclear';

/** An authenticated gateway response for one id. Missing or unreadable members are absent. */
export interface GatewayPayment {
  readonly status: PaymentStatus;
  readonly id?: string;
  readonly amount?: Centavos;
  readonly currency?: string;
  readonly reference?: string;
  /** The gateway's own status words, for the order's history. */
  readonly gatewayStatus: string;
}

/** The values of the attempt that a payment must match. Stored before the customer is redirected. */
export interface ExpectedPayment {
  readonly id: string;
  readonly amount: Centavos;
  readonly reference: string;
}

export type PaymentResult =
  | { readonly kind: 'paid' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'declined' | 'expired' | 'cancelled' }
  | { readonly kind: 'review'; readonly reason: PaymentReviewReason };

/**
 * Compares a gateway payment with the attempt. The result is `paid` only if status, id, amount, currency and reference all
 * match. A paid status with any difference needs review, and so does an unknown status. Any other status of another id
 * is ignored: the result is `pending`.
 */
export function evaluatePayment(payment: GatewayPayment, expected: ExpectedPayment): PaymentResult {
  if (payment.status === 'paid') return evaluatePaid(payment, expected);
  if (payment.status === 'unclear') return { kind: 'review', reason: 'unclear_status' };
  if (payment.id !== expected.id) return { kind: 'pending' };
  return { kind: payment.status };
}

function evaluatePaid(payment: GatewayPayment, expected: ExpectedPayment): PaymentResult {
  if (payment.id !== expected.id) return { kind: 'review', reason: 'other_id' };
  if (payment.amount !== expected.amount) return { kind: 'review', reason: 'other_amount' };
  if (payment.currency !== CURRENCY) return { kind: 'review', reason: 'other_currency' };
  if (payment.reference !== expected.reference) return { kind: 'review', reason: 'other_reference' };
  return { kind: 'paid' };
}

/**
 * Returns the result of the last lookup, after the TTL and margin. A pending hosted session can no longer be paid, so it
 * is expired. A pending card payment needs review.
 */
export function evaluateAfterExpiry(result: PaymentResult, flow: PaymentFlow): PaymentResult {
  if (result.kind !== 'pending') return result;
  return flow === 'hosted' ? { kind: 'expired' } : { kind: 'review', reason: 'overdue' };
}

/**
 * Returns the result if the gateway does not know the id after the TTL and margin. A session that was read before has
 * expired. Any other attempt needs review, because its outcome is not proven.
 */
export function evaluateNotFound(flow: PaymentFlow, wasFound: boolean): PaymentResult {
  return flow === 'hosted' && wasFound ? { kind: 'expired' } : { kind: 'review', reason: 'not_found' };
}
