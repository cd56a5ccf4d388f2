/** What a submitted checkout form leads to. Pure rules: `place-order.ts` reads what they depend on, and writes the result. */

import { decideEarlier, type EarlierDecision, type PaymentFlow, type Replacement } from '@tianguis/payments/rules';

/** The latest order of the cart. */
export interface EarlierOrder {
  /** It was placed for this version of the cart. */
  readonly isOfThisVersion: boolean;
  /** Another customer of a shared cart placed it. */
  readonly isForeign: boolean;
  /** It is paid, or it is payable and has the same total, code, shipping option, fees and e-mail address. */
  readonly mayReuse: boolean;
  /** Its payment is in review or has an unknown outcome. */
  readonly isUncertain: boolean;
  /** One of its payment pages is open. */
  readonly hasOpenPage: boolean;
  readonly replacement: Replacement;
}

/** What the decision depends on, read with cart, latest order and products locked. */
export interface PlacingInput {
  /** At least one product can be bought. */
  readonly hasLines: boolean;
  /** Products, quantities or prices differ from what the customer last saw in the cart. */
  readonly isChanged: boolean;
  /** The submitted page showed the present cart, with the chosen shipping option and its present total. */
  readonly isConfirmed: boolean;
  /** Products of the cart that an uncertain order of it has. `linked`: it was replaced, so it blocks all later orders. */
  readonly uncertain: 'none' | 'some' | 'all' | 'linked';
  readonly earlier: EarlierOrder | undefined;
  readonly flow: PaymentFlow;
  /** The customer confirmed the warning that an earlier attempt may still be charged. */
  readonly payAgain: boolean;
  /** The merchant closed the shop for a time. */
  readonly isClosed: boolean;
}

/** `show_earlier` and `verify_earlier` are about the latest order. */
export type PlacingDecision =
  | EarlierDecision
  | 'cart_empty'
  /** The shop places no order now. */
  | 'shop_closed'
  /** The customer must confirm the cart again. */
  | 'cart_changed'
  /** An earlier payment of some products is in review. The others can be bought. */
  | 'in_review'
  /** The customer sees the uncertain order. */
  | 'show_uncertain';

/** Decides what a submitted checkout form leads to. Pure. The first rule that applies decides. */
export function decidePlacing(input: PlacingInput): PlacingDecision {
  const { earlier, uncertain, isChanged, flow, payAgain } = input;
  if (!input.hasLines) return decideEmptyCart(input);
  // The customer pays no total and gets no products that the submitted page did not show.
  if (!input.isConfirmed) return 'cart_changed';
  const existing = earlier?.isOfThisVersion && !isChanged ? earlier : undefined;
  // A shared cart must not show the other customer's order as one's own, nor replace it.
  if (existing?.isForeign) return 'show_earlier';
  // Products whose payment is not known are not sold to the same customer twice.
  if (uncertain === 'all' || uncertain === 'linked') return 'show_uncertain';
  if (uncertain === 'some') return 'in_review';
  if (!earlier) return place(input);
  const decision = decideEarlier({
    // A payment removed its products from the cart, and those of an uncertain order are compared above.
    isSettled: false,
    mayReuse: existing?.mayReuse === true,
    replacement: earlier.replacement,
    // The customer of a changed cart knows that its page was for other products.
    hasOpenPage: existing?.hasOpenPage === true && !input.isClosed,
    flow,
    payAgain,
  });
  return decision === 'place' ? place(input) : decision;
}

/** The payment of an order that was placed before is refused when it starts, unless its page is still open. */
function place({ isClosed }: PlacingInput): PlacingDecision {
  return isClosed ? 'shop_closed' : 'place';
}

/** Decides for a cart without lines that can be bought: it was paid, emptied or sold out. */
function decideEmptyCart({ earlier, isChanged }: PlacingInput): PlacingDecision {
  // The payment of the latest order may have emptied the cart in another tab.
  if (earlier && !earlier.isOfThisVersion && earlier.replacement === 'verify_first') return 'verify_earlier';
  // The products of an uncertain order were sold out by it. The customer sees the order.
  if (isChanged && !earlier?.isUncertain) return 'cart_changed';
  return earlier ? 'show_earlier' : 'cart_empty';
}
