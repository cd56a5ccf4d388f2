import type { Queries } from '../db/connection/database.js';
import type { Order } from '../db/orders.js';
import { countReservations, type Pieces, putReservation } from '../db/stock.js';
import { OFFER_MARGIN_MS } from '../domain/payment.js';
import { ShopError } from '../domain/shop-error.js';
import type { CheckoutContext } from './context.js';

const MAX_RESERVATION_MS = 60 * 60_000;
/** Unpaid orders with a reservation per client address, so that one client cannot reserve the whole stock. */
const MAX_RESERVED_ORDERS = 20;

interface Reservation {
  readonly order: Pick<Order, 'id' | 'cartId'>;
  /** Of its limited products. They must be locked, and enough of them left. */
  readonly pieces: readonly Pieces[];
  /** Hash of the client's rate limit address. Absent: the number of its reservations is not limited. */
  readonly addressKey: string | undefined;
}

/**
 * Reserves the limited products of an unpaid order, or renews its reservation. Throws `ShopError`
 * `too_many_attempts` above the limit per address.
 */
export async function reserve(
  queries: Queries,
  { clock, config }: CheckoutContext,
  { order, pieces, addressKey = '' }: Reservation,
): Promise<void> {
  const { id: orderId, cartId } = order;
  if (pieces.length === 0) return;
  const at = clock.now();
  if (addressKey !== '') {
    const count = await countReservations(queries, { addressKey, cartId, at });
    if (count >= MAX_RESERVED_ORDERS) throw new ShopError('too_many_attempts');
  }
  const expiresAt = at + Math.min(config.orderTtlMs + OFFER_MARGIN_MS, MAX_RESERVATION_MS);
  await putReservation(queries, { orderId, cartId, expiresAt, addressKey }, pieces);
}
