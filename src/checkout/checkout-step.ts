import { ShopError } from '../core/shop-error.js';
import { GatewayError } from '../gateway/gateway-error.js';
import type { Order } from '../store/orders.js';
import type { Placement } from './place-order.js';

/** Where the shopper goes next. */
export type CheckoutStep =
  | { readonly kind: 'redirect'; readonly order: Order; readonly url: string }
  | { readonly kind: 'order'; readonly order: Order }
  | Extract<Placement, { kind: 'cart_changed' | 'cart_empty' }>;

/** What a fault of the service means to the shopper: later, or not at all. */
export function toShopError(error: unknown): unknown {
  if (!(error instanceof GatewayError)) return error;
  const refused = error.code === 'refused' || error.code === 'not_found' || error.code === 'bad_answer';
  return new ShopError(refused ? 'payment_refused' : 'service_unavailable', { cause: error });
}
