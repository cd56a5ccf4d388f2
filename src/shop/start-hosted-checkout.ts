/** The checkout form through the `hosted` payment flow. */
import type { CheckoutContext } from './context.js';
import { type CheckoutResult, placeAndStart } from './place-order.js';
import type { CheckoutRequest } from './read-cart-to-place.js';

/** Places the order and creates its checkout session, or returns the open one. Throws as `startHosted` of the payments. */
export function startHostedCheckout(context: CheckoutContext, request: CheckoutRequest): Promise<CheckoutResult> {
  return placeAndStart(context, request, 'hosted', context.payments.startHosted);
}
