import type { Order } from '../db/orders.js';
import { ShopError } from '../domain/shop-error.js';
import { GatewayError } from '../gateway/errors.js';
import type { Placement } from './place-order.js';

/** Next step of the customer: a redirect, the order page or the cart. */
export type CheckoutResult =
  | { readonly kind: 'redirect'; readonly order: Order; readonly url: string }
  | { readonly kind: 'order'; readonly order: Order }
  | Extract<Placement, { kind: 'cart_changed' | 'cart_empty' }>;

/**
 * Maps a `GatewayError` to a `ShopError`; returns other errors unchanged. Refusals and unusable responses become
 * `payment_refused`. All other gateway errors become `gateway_unavailable`: the customer may try again.
 */
export function toShopError(error: unknown): unknown {
  if (!(error instanceof GatewayError)) return error;
  const refused = error.code === 'refused' || error.code === 'not_found' || error.code === 'bad_answer';
  return new ShopError(refused ? 'payment_refused' : 'gateway_unavailable', { cause: error });
}
