/** Evaluates a gateway payment against its attempt. Pure. The only place that returns `paid`. */
import { type Centavos, CURRENCY } from './money.js';
import type { IdSource, PaymentFlow, PaymentReviewReason } from './order.js';

/**
 * Normalized gateway status. `pending`: waits for the customer only. `processing`: the gateway works on it, or has a word
 * for it that the interface does not define. `unclear`: the interface does not define the status or the combination.
 */
export type PaymentStatus = 'paid' | 'pending' | 'processing' | 'declined' | 'expired' | 'cancelled' | 'unclear';

/** The gateway's numbers of a payment, for its dashboard and its reports. Absent: the answer has none. */
export interface GatewayNumbers {
  readonly transactionId?: string;
  readonly paymentId?: string;
  readonly provider?: string;
}

/** The person who pays, as the gateway gets it. */
export interface Payer {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

/** A line of an order, as the gateway gets it. */
export interface GatewayLine {
  readonly productId: string;
  readonly name: string;
  readonly quantity: number;
  readonly unitPrice: Centavos;
}

/** An authenticated gateway response for one id. Other missing or unreadable members are absent. */
export interface GatewayPayment {
  readonly status: PaymentStatus;
  /** The gateway's id of the session or card payment. */
  readonly gatewayId: string;
  readonly amount?: Centavos;
  readonly currency?: string;
  /** Absent: the answer has no reference. Null: it has one that cannot be read, which counts as another reference. */
  readonly reference?: string | null;
  readonly numbers?: GatewayNumbers;
  /** When the customer paid, in milliseconds since 1970. */
  readonly paidAt?: number;
  /** The gateway's own status words, for the order's history. */
  readonly gatewayStatus: string;
  /** Members that the answer has and that cannot be read, by the gateway's names. They count as absent. */
  readonly unread?: readonly string[];
}

/** The values of the attempt that a payment must match. Stored before the customer is redirected. */
export interface ExpectedPayment {
  readonly gatewayId: string;
  readonly idSource: IdSource;
  readonly amount: Centavos;
  readonly reference: string;
  /** The gateway required 3D Secure, so its status may be any word until the offer ends. */
  readonly awaitsBank: boolean;
}

export type PaymentResult =
  | { readonly kind: 'paid' }
  | { readonly kind: 'pending' }
  /** The offer is over, and the gateway still waits for the customer. A payment may arrive late. */
  | { readonly kind: 'offer_ended' }
  /** The watch is over, and the gateway still waits for the customer. */
  | { readonly kind: 'never_completed' }
  | { readonly kind: 'declined' | 'expired' | 'cancelled' }
  | { readonly kind: 'review'; readonly reason: PaymentReviewReason };

/** `offered`: the customer may pay on the page. `watched`: a payment may arrive late. `over`: the attempt must end now. */
export type Phase = 'offered' | 'watched' | 'over';

/** Time between the end of an offer and the first lookup that ends it. Covers clock differences and slow banks. */
export const OFFER_MARGIN_MS = 120_000;
/** How long an attempt is watched after its offer. */
const WATCH_MS = 8 * 24 * 60 * 60_000;

/** Returns the phase of an attempt that has not ended. Times in milliseconds since 1970. */
export function phaseOf(offerEndsAt: number, now: number): Phase {
  if (now <= offerEndsAt + OFFER_MARGIN_MS) return 'offered';
  return now <= offerEndsAt + WATCH_MS ? 'watched' : 'over';
}

/**
 * Compares a gateway payment with the attempt. The result is `paid` only if status, id, amount and currency match and the
 * reference proves the attempt. A paid status with any difference needs review, and so does an unknown status. Any other
 * status with a difference is ignored: it is no answer about the attempt.
 */
export function evaluatePayment(payment: GatewayPayment, expected: ExpectedPayment, phase: Phase): PaymentResult {
  if (payment.status === 'paid') return evaluatePaid(payment, expected);
  if (payment.status === 'unclear') {
    const isWaiting = expected.awaitsBank && phase === 'offered';
    return isWaiting ? { kind: 'pending' } : { kind: 'review', reason: 'unclear_status' };
  }
  if (!agrees(payment, expected))
    return phase === 'over' ? { kind: 'review', reason: 'no_answer' } : { kind: 'pending' };
  if (payment.status === 'pending') return PENDING_RESULTS[phase];
  if (payment.status === 'processing')
    return phase === 'offered' ? { kind: 'pending' } : { kind: 'review', reason: 'overdue' };
  return { kind: payment.status };
}

const PENDING_RESULTS: Readonly<Record<Phase, PaymentResult>> = {
  offered: { kind: 'pending' },
  watched: { kind: 'offer_ended' },
  over: { kind: 'never_completed' },
};

function evaluatePaid(payment: GatewayPayment, expected: ExpectedPayment): PaymentResult {
  if (payment.gatewayId !== expected.gatewayId) return { kind: 'review', reason: 'other_id' };
  if (payment.amount !== expected.amount) return { kind: 'review', reason: 'other_amount' };
  if (payment.currency !== CURRENCY) return { kind: 'review', reason: 'other_currency' };
  if (!hasOwnReference(payment, expected)) return { kind: 'review', reason: 'other_reference' };
  return expected.idSource === 'candidate' ? { kind: 'review', reason: 'candidate' } : { kind: 'paid' };
}

/** A lookup may lack the reference if the answer to our own request named the id. A candidate lacks it by definition. */
function hasOwnReference({ reference }: GatewayPayment, expected: ExpectedPayment): boolean {
  return reference === undefined ? expected.idSource !== 'found' : reference === expected.reference;
}

/** Returns whether an answer is about the payment that we requested. Its status is not compared. */
export function agrees(payment: GatewayPayment, expected: ExpectedPayment): boolean {
  const { gatewayId, amount, currency } = payment;
  const isSame = gatewayId === expected.gatewayId && amount === expected.amount && currency === CURRENCY;
  return isSame && hasOwnReference(payment, expected);
}

/** Two answers that a session is unknown must be this far apart to end it. */
const NOT_FOUND_TWICE_MS = 10 * 60_000;

/** A lookup without a payment. */
export interface FailedLookup {
  readonly flow: PaymentFlow;
  /** The gateway does not know the id. Otherwise it gave no usable answer. */
  readonly isNotFound: boolean;
  /** The attempt was made with another API key, so a failure proves nothing about it. */
  readonly isOtherKey: boolean;
  /** An earlier lookup returned the payment. */
  readonly wasFound: boolean;
  /** Since when the gateway does not know the id, in milliseconds since 1970. Null: this is the first such answer. */
  readonly notFoundAt: number | null;
  readonly now: number;
}

/**
 * Returns the result of a lookup that returned no payment; `undefined` if nothing changes. A session that was read before
 * and is unknown twice has expired. Any other attempt without an answer needs review, because its outcome is not proven.
 */
export function evaluateFailedLookup(lookup: FailedLookup, phase: Phase): PaymentResult | undefined {
  if (phase === 'offered') return undefined;
  if (lookup.isNotFound && !lookup.isOtherKey) {
    if (lookup.flow === 'card' || !lookup.wasFound) return { kind: 'review', reason: 'not_found' };
    const isTwice = lookup.notFoundAt !== null && lookup.now - lookup.notFoundAt >= NOT_FOUND_TWICE_MS;
    if (isTwice) return { kind: 'expired' };
  }
  return phase === 'over' ? { kind: 'review', reason: 'no_answer' } : undefined;
}
