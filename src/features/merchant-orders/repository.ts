/** Cart and reservations of an order that the merchant corrects. For the lock order see tables/stock.ts. */
import { insertCart } from '../../tables/carts.js';
import type { Db } from '../../tables/database.js';
import { findLatestOrderOfCart, type Order } from '../../tables/orders.js';

/**
 * Returns a version of the cart of a locked order for an order that the merchant places. The customer's checkout never uses it,
 * so the next one places another order. Inserts a cart that does not exist: it is what the payments of both orders lock.
 */
export async function takeCartVersion(queries: Db, cartId: string, at: number): Promise<number> {
  const cart = await queries.selectFrom('carts').select('version').where('id', '=', cartId).executeTakeFirst();
  const latest = await findLatestOrderOfCart(queries, cartId);
  const version = Math.max(cart?.version ?? 0, latest?.cartVersion ?? 0) + 1;
  const changed = { version: version + 1, updatedAt: at };
  if (!cart) await insertCart(queries, cartId, at);
  await queries.updateTable('carts').set(changed).where('id', '=', cartId).execute();
  return version;
}

/** Removes the reservations of an order that the merchant replaces, and those of its cart that ended. */
export async function releaseReplaced(queries: Db, { id, cartId }: Order, at: number): Promise<void> {
  await queries
    .deleteFrom('reservations')
    .where('cartId', '=', cartId)
    .where((eb) => eb.or([eb('orderId', '=', id), eb('expiresAt', '<=', at)]))
    .execute();
}
