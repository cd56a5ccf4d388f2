/** The checkout form through the `card` payment flow. */
import type { CardTokens } from '../domain/card-data.js';
import type { CheckoutContext } from './context.js';
import { type CheckoutResult, placeAndStart } from './place-order.js';
import type { CheckoutRequest } from './read-cart-to-place.js';
import { startCard } from './start-card.js';

/** Places the order and sends at most one card payment for it. Throws as {@link startCard}. */
export async function startCardPayment(
  context: CheckoutContext,
  request: CheckoutRequest,
  tokens: CardTokens,
): Promise<CheckoutResult> {
  const { cartId, client } = request;
  const early = cartId && client && (await context.startLimits.peek('card', { ...client, cartId }));
  if (early) return early;
  return placeAndStart(context, request, 'card', (order, options) => startCard(context, order, tokens, options));
}
