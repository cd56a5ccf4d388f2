/** The checkout form through the `card` payment flow. */
import type { CardTokens } from '../payments/rules/index.js';
import type { CheckoutContext } from './context.js';
import { type CheckoutResult, placeAndStart } from './place-order.js';
import type { CheckoutRequest } from './read-cart-to-place.js';
import { peekStart } from './start-limits.js';

/** Places the order and sends at most one card payment for it. Throws as `startCard` of the payments. */
export async function startCardPayment(
  context: CheckoutContext,
  request: CheckoutRequest,
  tokens: CardTokens,
): Promise<CheckoutResult> {
  const { cartId, client } = request;
  const early = cartId && client && (await peekStart(context, 'card', { ...client, cartId }));
  if (early) return early;
  return placeAndStart(context, request, 'card', (orderId, options) =>
    context.payments.startCard(orderId, tokens, options),
  );
}
