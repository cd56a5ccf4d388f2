import type { Queries } from '../db/database.js';
import type { Order } from '../db/orders.js';
import { countReservations, lockStock, type Pieces, putReservation } from '../db/stock.js';
import type { PricedCart } from '../domain/cart.js';
import { ShopError } from '../domain/shop-error.js';
import type { CheckoutContext } from './context.js';
import { LAST_LOOKUP_MARGIN_MS } from './settle-payment.js';

const MAX_RESERVATION_MS = 60 * 60_000;
/** Unpaid orders with a reservation per client address, so that one client cannot reserve the whole stock. */
const MAX_RESERVED_ORDERS = 20;

interface ReserveInput {
  readonly order: Pick<Order, 'id' | 'cartId'>;
  /** Hash of the client's rate limit address. Absent: no limit. */
  readonly addressKey: string | undefined;
  readonly at: number;
}

/**
 * Reserves the limited products of a cart for its order, or renews the reservation. The caller must have locked the
 * products and priced the cart afterwards. Throws `too_many_attempts` above the limit per address.
 */
export async function reserveCart(
  queries: Queries,
  context: CheckoutContext,
  input: ReserveInput & { readonly priced: PricedCart },
): Promise<void> {
  const limited = input.priced.lines.filter(({ product }) => product.stock !== null);
  if (limited.length === 0) return;
  const { addressKey, at } = input;
  if (addressKey !== undefined) {
    const count = await countReservations(queries, { addressKey, cartId: input.order.cartId, at });
    if (count >= MAX_RESERVED_ORDERS) throw new ShopError('too_many_attempts');
  }
  const lines = limited.map(({ product, quantity }) => ({ productId: product.id, quantity }));
  await reserve(queries, context, input, lines);
}

/**
 * Renews the reservation of an order before a new attempt. `placeOrder` reserved it, but the lookup in between may have
 * ended the order and released it. The caller must have locked its cart and the order. Returns false if not enough is left.
 */
export async function renewReservation(
  queries: Queries,
  context: CheckoutContext,
  input: ReserveInput,
): Promise<boolean> {
  const { isCovered, lines } = await lockStock(queries, input.order, input.at);
  if (isCovered) await reserve(queries, context, input, lines);
  return isCovered;
}

function reserve(
  queries: Queries,
  { policy }: CheckoutContext,
  { order, addressKey = '', at }: ReserveInput,
  lines: readonly Pieces[],
): Promise<void> {
  const expiresAt = at + Math.min(policy.orderTtlMs + LAST_LOOKUP_MARGIN_MS, MAX_RESERVATION_MS);
  return putReservation(queries, { orderId: order.id, cartId: order.cartId, expiresAt, addressKey }, lines);
}
