/** Evaluates a gateway payment against its attempt. Pure. The only place that returns `paid`. */
import { type Centavos, CURRENCY } from './money.js';

/** Normalized gateway status. `unclear`: the interface does not define the status or the combination. */
export type Reading = 'paid' | 'pending' | 'declined' | 'expired' | 'cancelled' | 'unclear';

/** An authenticated gateway response for one id. Missing or unreadable members are absent. */
export interface Evidence {
  readonly reading: Reading;
  readonly id?: string;
  readonly amount?: Centavos;
  readonly currency?: string;
  readonly reference?: string;
  /** The gateway's own status words, for the order's history. */
  readonly words: string;
}

/** The values of the attempt that a payment must match. Stored before the customer is redirected. */
export interface Promised {
  readonly id: string;
  readonly amount: Centavos;
  readonly reference: string;
}

/** Review reasons of a payment that may have moved money but is not confirmed as paid. */
export type HoldReason =
  | 'unclear_status'
  | 'other_id'
  | 'other_amount'
  | 'other_currency'
  | 'other_reference'
  /** A card payment that is still pending after its TTL and margin. */
  | 'overdue'
  /** After the TTL the gateway does not know the payment, and nothing proves that none was made. */
  | 'not_found'
  /** No lookup gave a result until 24 h after the TTL. */
  | 'no_answer';

export type Verdict =
  | { readonly kind: 'paid' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'declined' | 'expired' | 'cancelled' }
  | { readonly kind: 'hold'; readonly reason: HoldReason };

/**
 * Compares a gateway payment with the attempt. The result is `paid` only if status, id, amount, currency and reference all
 * match. A paid status with any difference needs review, and so does an unknown status. Any other status of another id
 * is ignored: the result is `pending`.
 */
export function judge(evidence: Evidence, promised: Promised): Verdict {
  if (evidence.reading === 'paid') return judgePaid(evidence, promised);
  if (evidence.reading === 'unclear') return { kind: 'hold', reason: 'unclear_status' };
  if (evidence.id !== promised.id) return { kind: 'pending' };
  return { kind: evidence.reading };
}

function judgePaid(evidence: Evidence, promised: Promised): Verdict {
  if (evidence.id !== promised.id) return { kind: 'hold', reason: 'other_id' };
  if (evidence.amount !== promised.amount) return { kind: 'hold', reason: 'other_amount' };
  if (evidence.currency !== CURRENCY) return { kind: 'hold', reason: 'other_currency' };
  if (evidence.reference !== promised.reference) return { kind: 'hold', reason: 'other_reference' };
  return { kind: 'paid' };
}

/**
 * Returns the result of the last lookup, after the TTL and margin. A pending hosted session can no longer be paid, so it
 * is expired. A pending card payment needs review.
 */
export function conclude(verdict: Verdict, kind: 'hosted' | 'card'): Verdict {
  if (verdict.kind !== 'pending') return verdict;
  return kind === 'hosted' ? { kind: 'expired' } : { kind: 'hold', reason: 'overdue' };
}

/**
 * Returns the result if the gateway does not know the id after the TTL and margin. A session that was read before has
 * expired. Any other attempt needs review, because its outcome is not proven.
 */
export function concludeNotFound(attempt: {
  readonly kind: 'hosted' | 'card';
  readonly wasFound: boolean;
}): Verdict {
  return attempt.kind === 'hosted' && attempt.wasFound
    ? { kind: 'expired' }
    : { kind: 'hold', reason: 'not_found' };
}
