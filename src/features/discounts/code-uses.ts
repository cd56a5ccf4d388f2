/** Discount codes for the use cases of the shop: what a code takes off a cart, and the uses of orders. */

import type { CodeRequest, DiscountCodes } from '../../shop/discount-codes.js';
import { becamePaid, reservationEnd, type ShopChange } from '../../shop/order-hooks.js';
import { type CartCode, priceCart } from '../../shop/rules/cart.js';
import { isFee } from '../../shop/rules/fees.js';
import type { ClientKeys } from '../../shop/rules/stock.js';
import { findCart } from '../../tables/carts.js';
import type { Db } from '../../tables/database.js';
import { findOrderLines } from '../../tables/orders.js';
import {
  countTaken,
  type DiscountCode,
  endOtherUses,
  endUse,
  extendUse,
  findCartUse,
  findCode,
  hasUse,
  lockCode,
  markUsed,
  prolongUse,
  putUse,
} from './repository.js';
import { mayUse, stateOf } from './rules.js';

const NO_CLIENT: ClientKeys = { addressKey: '', siteKey: '', networkKey: '' };

export const discountCodes: DiscountCodes = {
  lock: lockCode,
  find: findCartCode,
  async setAside(queries, { id: orderId, cartId, discountCode: code, createdAt: at }, { client, until }) {
    if (code === null) return;
    const own = await findCartUse(queries, code, cartId, at);
    const isFree = await hasFreeUse(queries, code, { cartId, client: own ? undefined : client, at });
    // Otherwise each new order of the cart would renew a code that has ended.
    const expiresAt = isFree ? until : Math.min(until, own?.expiresAt ?? at);
    await endOtherUses(queries, { id: orderId, cartId }, at);
    await putUse(queries, { orderId, code, cartId, ...keysOf(client), expiresAt });
  },
  async isAvailable(queries, { id, discountCode: code, cartId }, request) {
    return (
      code === null || (await hasUse(queries, id, request.at)) || hasFreeUse(queries, code, { cartId, ...request })
    );
  },
  async renew(queries, { id: orderId, cartId, discountCode: code }, { client, until, at }) {
    if (code === null) return true;
    if (await hasUse(queries, orderId, at)) {
      const isProlonged = until !== undefined && (await hasFreeUse(queries, code, { cartId, at }));
      if (isProlonged) await prolongUse(queries, orderId, { until, at });
      return true;
    }
    await lockCode(queries, code);
    if (!(await hasFreeUse(queries, code, { cartId, client, at }))) return false;
    if (until !== undefined) await putUse(queries, { orderId, code, cartId, ...keysOf(client), expiresAt: until });
    return true;
  },
  async keep(queries, { id, payableUntil }, at) {
    if (payableUntil !== null) await prolongUse(queries, id, { until: payableUntil, at });
  },
  async extend(queries, order, { at, byMs }) {
    const { cartId, discountCode: code } = order;
    if (code !== null && (await hasFreeUse(queries, code, { cartId, at })))
      await extendUse(queries, order, { at, byMs });
  },
};

const keysOf = ({ addressKey, siteKey, networkKey }: ClientKeys = NO_CLIENT) => ({ addressKey, siteKey, networkKey });

async function findCartCode(queries: Db, code: string, request: CodeRequest): Promise<CartCode> {
  const { cartId, client, at } = request;
  const terms = await findCode(queries, code);
  if (!terms) return { code };
  const own = await findCartUse(queries, code, cartId, at);
  const isFree = await hasFree(queries, terms, { cartId, client: own ? undefined : client, at });
  // A code that has ended stays for what its order has, and for nothing else.
  const isOffered = isFree || (own !== undefined && (await hasLinesOf(queries, own, request)));
  return { code, terms: isOffered ? terms : undefined };
}

/** Returns whether the cart has the products of an order, at the prices of the order. */
async function hasLinesOf(
  queries: Db,
  { orderId }: { readonly orderId: string },
  { cartId, at }: Pick<CodeRequest, 'cartId' | 'at'>,
): Promise<boolean> {
  const cart = await findCart(queries, cartId, at);
  const lines = await findOrderLines(queries, orderId);
  const goods = lines.filter(({ productId }) => !isFee(productId));
  const ordered = goods.map(({ productId, quantity, unitPrice }) => [productId, quantity, unitPrice].join());
  const priced = priceCart({ lines: cart?.lines ?? [] }).lines;
  const wanted = priced.map(({ product, quantity, unitPrice }) => [product.id, quantity, unitPrice].join());
  return ordered.sort().join('\n') === wanted.sort().join('\n');
}

async function hasFreeUse(queries: Db, code: string, request: CodeRequest): Promise<boolean> {
  const stored = await findCode(queries, code);
  return stored !== undefined && hasFree(queries, stored, request);
}

/** Returns whether the code can be used now, and a use of it is free. */
async function hasFree(queries: Db, stored: DiscountCode, request: CodeRequest): Promise<boolean> {
  const { code, maxUses } = stored;
  if (stateOf(stored, request.at) !== 'active') return false;
  return maxUses === null || mayUse(maxUses, await countTaken(queries, code, request), request.client);
}

/** Counts the use of an order that became paid, and releases that of an unpaid order as its reservation. */
export async function updateUse(queries: Db, change: ShopChange): Promise<void> {
  const { id, cartId, discountCode } = change.after;
  if (discountCode === null) return;
  if (becamePaid(change)) return markUsed(queries, { id, cartId, discountCode }, change.at);
  const end = reservationEnd(change);
  if (end !== undefined) await endUse(queries, change.after, end);
}
