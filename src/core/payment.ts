/** What the service says about one attempt, and what that means. Pure: the one place that can say "paid". */
import { type Centavos, CURRENCY } from './money.js';

/** The service's status words, sorted; `unclear` holds every word and pair that the contract does not know. */
export type Reading = 'paid' | 'pending' | 'declined' | 'expired' | 'cancelled' | 'unclear';

/** An authenticated answer of the service about one id. A missing or unreadable member is absent. */
export interface Evidence {
  readonly reading: Reading;
  readonly id?: string;
  readonly amount?: Centavos;
  readonly currency?: string;
  readonly reference?: string;
  /** The service's own words, for the order's history. */
  readonly words: string;
}

/** What we stored on the attempt before the shopper left. */
export interface Promised {
  readonly id: string;
  readonly amount: Centavos;
  readonly reference: string;
}

/** Why money that may have moved is not called "paid": it waits for a person. */
export type HoldReason =
  | 'unclear_status'
  | 'other_id'
  | 'other_amount'
  | 'other_currency'
  | 'other_reference'
  /** A card payment that is still waiting long after its time. */
  | 'overdue';

export type Verdict =
  | { readonly kind: 'paid' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'declined' | 'expired' | 'cancelled' }
  | { readonly kind: 'hold'; readonly reason: HoldReason };

/**
 * Judges an answer against what was promised. Paid is only: a paid reading for the same id, amount, currency and
 * reference. A paid reading with any difference is held, and so is a word nobody knows; any other reading about
 * another id is no news at all.
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
 * What a last look means, after an attempt's time is up and a margin has passed: a hosted page that is still waiting
 * will not be paid any more; a card payment that is still waiting needs a person.
 */
export function conclude(verdict: Verdict, kind: 'hosted' | 'card'): Verdict {
  if (verdict.kind !== 'pending') return verdict;
  return kind === 'hosted' ? { kind: 'expired' } : { kind: 'hold', reason: 'overdue' };
}
