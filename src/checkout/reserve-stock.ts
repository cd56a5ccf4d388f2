import type { Queries } from '../db/connection/database.js';
import type { Order } from '../db/orders.js';
import { findReservations, insertReservations } from '../db/stock.js';
import type { PricedLine } from '../domain/cart.js';
import { OFFER_MARGIN_MS } from '../domain/payment.js';
import { type ClientKeys, COOLDOWN_MS, maySetAside } from '../domain/stock.js';
import type { CheckoutContext } from './context.js';

const NO_CLIENT: ClientKeys = { addressKey: '', networkKey: '' };

/** A priced cart and its client. */
interface Shopper {
  readonly cartId: string;
  readonly lines: readonly PricedLine[];
  /** Absent: what the client holds is not limited. */
  readonly client: ClientKeys | undefined;
}

interface Pieces {
  readonly productId: string;
  readonly quantity: number;
  /** When the pieces are free again. 0: they are not set aside. */
  readonly until: number;
}

/**
 * Sets the limited products of a new order aside, once, until 2 min after its payment page ends. An order that replaces
 * another of its cart takes over what that one holds, and not for longer. The products must be locked, and enough left.
 * What one client may hold is limited (domain/stock.ts). The customer may buy the rest while pieces are free.
 */
export async function setAside(
  queries: Queries,
  { clock, config }: Pick<CheckoutContext, 'clock' | 'config'>,
  order: Pick<Order, 'id' | 'cartId'>,
  shopper: Shopper,
): Promise<void> {
  const at = clock.now();
  const pieces = await divide(queries, shopper, { at, until: at + config.orderTtlMs + OFFER_MARGIN_MS });
  const { addressKey, networkKey } = shopper.client ?? NO_CLIENT;
  const columns = { orderId: order.id, cartId: order.cartId, addressKey, networkKey };
  const held = pieces.filter(({ until }) => until > at);
  const rows = held.map(({ productId, quantity, until }) => ({ ...columns, productId, quantity, expiresAt: until }));
  await insertReservations(queries, rows);
}

/** Returns the ids of the limited products that an order of this cart would not set aside now. */
export async function findNotSetAside(queries: Queries, shopper: Shopper, at: number): Promise<readonly string[]> {
  const pieces = await divide(queries, shopper, { at, until: at + 1 });
  return pieces.filter(({ until }) => until <= at).map(({ productId }) => productId);
}

/** Decides for each limited product whether it is set aside, and until when. */
async function divide(
  queries: Queries,
  { cartId, lines, client }: Shopper,
  { at, until }: { readonly at: number; readonly until: number },
): Promise<readonly Pieces[]> {
  const limited = lines.flatMap(({ product: { id: productId, stock }, quantity }) =>
    stock === null ? [] : [{ productId, stock, quantity }],
  );
  if (limited.length === 0) return [];
  const ids = limited.map(({ productId }) => productId);
  const rows = await findReservations(queries, { cartId, ...(client ?? NO_CLIENT) }, ids, at - COOLDOWN_MS);
  return limited.map(({ productId, stock, quantity }) => {
    const held = rows.filter((row) => row.productId === productId);
    const own = held.filter((row) => row.cartId === cartId);
    const others = held.filter((row) => row.cartId !== cartId);
    const earlierEnd = Math.max(...own.map(({ expiresAt }) => expiresAt));
    const isFree = !client || maySetAside({ quantity, stock }, client, others, at);
    return { productId, quantity, until: own.length > 0 ? Math.min(until, earlierEnd) : isFree ? until : 0 };
  });
}
