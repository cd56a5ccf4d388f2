/** From a cart to the payment of its order. */
import type { Order } from '../db/orders.js';
import type { Started, StartOptions } from '../payments/index.js';
import { PaymentError, type PaymentFlow } from '../payments/rules/index.js';
import type { CheckoutContext } from './context.js';
import { type PlaceResult, placeOrder } from './place-order.js';
import type { CheckoutRequest } from './read-cart-to-place.js';
import type { ShopStart } from './shop-host.js';

/** Where the customer is sent. */
export type CheckoutResult = Exclude<PlaceResult, { kind: 'placed' }> | Exclude<Started<Order>, { kind: 'sold_out' }>;

/** The products may be sold between the two steps. */
const MAX_ROUNDS = 3;

/**
 * Places the order of a cart, stores who owns it, and starts its payment. If its products were sold meanwhile, the cart shows
 * what is left.
 */
export async function placeAndStart(
  context: CheckoutContext,
  request: CheckoutRequest,
  flow: PaymentFlow,
  start: (orderId: string, options: StartOptions) => Promise<Started<Order>>,
): Promise<CheckoutResult> {
  const { client, payAgain = false } = request;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const placed = await placeOrder(context, request, flow);
    if (placed.kind !== 'placed') return placed;
    const { order } = placed;
    await request.orderPlaced?.(order);
    const passed: ShopStart = { client, contactHash: order.contactHash };
    const started = await start(order.id, { payAgain, passed });
    if (started.kind !== 'sold_out') return started;
  }
  throw new PaymentError('gateway_unavailable');
}
