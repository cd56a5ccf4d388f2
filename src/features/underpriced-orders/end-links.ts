import type { CheckoutContext } from '../../shop/checkout-context.js';
import { cancelOrder } from '../../shop/order-requests.js';
import type { Product } from '../../shop/rules/product.js';
import { findUnderpricedOrders } from './repository.js';

/** Links that one request ends, each in a transaction of its own. */
export const MAX_ENDED_LINKS = 500;

const PRICE_CHANGED = { reason: 'price_or_stock', text: '' } as const;

/**
 * Ends the payment links of these orders, and records the admin user in the history of each. Orders whose payment may be
 * confirmed soon are skipped.
 */
export async function endUnderpricedLinks(context: CheckoutContext, product: Product, by: string) {
  const at = context.clock.now();
  const orders = await findUnderpricedOrders(context.db.queries, product, { at, limit: MAX_ENDED_LINKS });
  let ended = 0;
  for (const { id: orderId, version } of orders)
    if ((await cancelOrder(context, { orderId, version, by, cancellation: PRICE_CHANGED })) === 'cancelled') ended += 1;
  return { ended, skipped: orders.length - ended };
}
