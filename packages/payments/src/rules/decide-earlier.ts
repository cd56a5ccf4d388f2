/** What becomes of an earlier order of a cart when the customer submits the cart. Pure rules. */

import type { Replacement } from './decide-replacement.js';
import type { PaymentFlow } from './order.js';

/** What the decision depends on, read with the earlier order locked. */
export interface EarlierInput {
  /** It, or an order that it replaced, is paid, in review or of unknown outcome, so that no other order is placed. */
  readonly isSettled: boolean;
  /** It is what the customer saw, and can still be paid. */
  readonly mayReuse: boolean;
  readonly replacement: Replacement;
  /** One of its payment pages is open. */
  readonly hasOpenPage: boolean;
  readonly flow: PaymentFlow;
  /** The customer confirmed the warning that an earlier attempt may still be charged. */
  readonly payAgain: boolean;
}

export type EarlierDecision =
  /** The customer sees the earlier order. */
  | 'show_earlier'
  /** The customer pays the earlier order. */
  | 'reuse'
  /** Look up the payments of the earlier order, then decide again. */
  | 'verify_earlier'
  /** An open page of the earlier order may still be paid. The customer must confirm the warning. */
  | 'confirm_pay_again'
  /** A new order, which replaces the earlier one. */
  | 'place';

/** Decides what becomes of an earlier order of the cart. Pure. The first rule that applies decides. */
export function decideEarlier(input: EarlierInput): EarlierDecision {
  const { replacement, hasOpenPage, flow, payAgain } = input;
  if (input.isSettled) return 'show_earlier';
  // One content of a cart has one order: a double click, Back and a second tab lead to it.
  if (input.mayReuse) return 'reuse';
  // A paid or running payment must be known before another order can be paid beside it.
  if (replacement === 'verify_first') return 'verify_earlier';
  if (replacement === 'keep') return 'show_earlier';
  // Paying the open page too would be a second charge.
  if (hasOpenPage && flow === 'card' && !payAgain) return 'confirm_pay_again';
  return 'place';
}
