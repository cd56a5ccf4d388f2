import { OFFER_MARGIN_MS } from '@tianguis/payments/rules';
import type { Db } from '../tables/database.js';
import type { Order } from '../tables/orders.js';
import { findReservations, type LimitedPieces, putReservations } from '../tables/stock.js';
import type { CheckoutContext } from './checkout-context.js';
import type { PricedLine } from './rules/cart.js';
import { type ClientKeys, COOLDOWN_MS, maySetAside } from './rules/stock.js';

const NO_CLIENT = { addressKey: '', networkKey: '' };

/** Limited products of a cart or of its order, and the client. */
interface Request {
  readonly cartId: string;
  readonly pieces: readonly LimitedPieces[];
  /** Absent: what the client holds is not limited. */
  readonly client: ClientKeys | undefined;
}

interface Division {
  readonly productId: string;
  readonly quantity: number;
  /** When the pieces are free again. 0: they are not set aside. */
  readonly until: number;
}

/**
 * Sets the limited products of an order aside, until 2 min after its payment page ends. An order that replaces another of its
 * cart takes over what that one holds, and not for longer. An order that is paid again holds its pieces again only after the
 * cooldown. The products must be locked, and enough left. What one client may hold is limited (shop/rules/stock.ts). The customer
 * may buy the rest while pieces are free. `until`: another end, in milliseconds since 1970.
 */
export async function setAside(
  queries: Db,
  { clock, config }: Pick<CheckoutContext, 'clock' | 'config'>,
  { id: orderId, cartId }: Pick<Order, 'id' | 'cartId'>,
  { pieces, client, until }: Omit<Request, 'cartId'> & { readonly until?: number | undefined },
): Promise<void> {
  const at = clock.now();
  const time = { at, until: until ?? at + config.orderTtlMs + OFFER_MARGIN_MS };
  const divided = await divide(queries, { cartId, pieces, client }, time);
  const { addressKey, networkKey } = client ?? NO_CLIENT;
  const columns = { orderId, cartId, addressKey, networkKey };
  const held = divided.filter(({ until }) => until > at);
  const rows = held.map(({ productId, quantity, until }) => ({ ...columns, productId, quantity, expiresAt: until }));
  await putReservations(queries, rows, at);
}

/** Returns the ids of the limited products that an order of this cart would not set aside now. */
export async function findNotSetAside(queries: Db, request: Request, at: number): Promise<readonly string[]> {
  const divided = await divide(queries, request, { at, until: at + 1 });
  return divided.filter(({ until }) => until <= at).map(({ productId }) => productId);
}

/** Returns the lines of a priced cart whose products are limited. */
export function limitedPieces(lines: readonly PricedLine[]): readonly LimitedPieces[] {
  return lines.flatMap(({ product: { id: productId, stock }, quantity }) =>
    stock === null ? [] : [{ productId, stock, quantity }],
  );
}

/** Decides for each limited product whether it is set aside, and until when. */
async function divide(
  queries: Db,
  { cartId, pieces, client }: Request,
  { at, until }: { readonly at: number; readonly until: number },
): Promise<readonly Division[]> {
  if (pieces.length === 0) return [];
  const ids = pieces.map(({ productId }) => productId);
  const rows = await findReservations(queries, { cartId, ...(client ?? NO_CLIENT) }, ids, at - COOLDOWN_MS);
  return pieces.map(({ productId, stock, quantity }) => {
    const held = rows.filter((row) => row.productId === productId);
    const own = held.filter((row) => row.cartId === cartId);
    const others = held.filter((row) => row.cartId !== cartId);
    const earlierEnd = Math.max(...own.map(({ expiresAt }) => expiresAt));
    const isFree = !client || maySetAside({ quantity, stock }, client, others, at);
    return { productId, quantity, until: own.length > 0 ? Math.min(until, earlierEnd) : isFree ? until : 0 };
  });
}
