/** Discount codes for the use cases of the shop: what a code takes off a cart, and the uses of orders. */
import type { Db } from '../../db/database.js';
import type { CodeRequest, DiscountCodes } from '../../shop/discount-codes.js';
import { becamePaid, reservationEnd, type ShopChange } from '../../shop/order-hooks.js';
import type { CartCode } from '../../shop/rules/cart.js';
import {
  countTaken,
  endOtherUses,
  endUse,
  extendUse,
  findCode,
  hasCartUse,
  hasUse,
  lockCode,
  markUsed,
  prolongUse,
  putUse,
} from './repository.js';
import { mayUse, stateOf } from './rules.js';

const NO_CLIENT = { addressKey: '', siteKey: '', networkKey: '' };

export const discountCodes: DiscountCodes = {
  lock: lockCode,
  find: findCartCode,
  async setAside(queries, { id: orderId, cartId, discountCode: code, createdAt }, { client = NO_CLIENT, until }) {
    if (code === null) return;
    await endOtherUses(queries, { id: orderId, cartId }, createdAt);
    await putUse(queries, { orderId, code, cartId, ...keysOf(client), expiresAt: until });
  },
  async isAvailable(queries, { id, discountCode: code, cartId }, request) {
    return (
      code === null || (await hasUse(queries, id, request.at)) || hasFreeUse(queries, code, { cartId, ...request })
    );
  },
  async renew(queries, order, { client = NO_CLIENT, until, at }) {
    const { id: orderId, cartId, discountCode: code } = order;
    if (code === null) return true;
    const isHeld = until === undefined ? hasUse(queries, orderId, at) : prolongUse(queries, orderId, { until, at });
    if (await isHeld) return true;
    await lockCode(queries, code);
    if (!(await hasFreeUse(queries, code, { cartId, client, at }))) return false;
    if (until !== undefined) await putUse(queries, { orderId, code, cartId, ...keysOf(client), expiresAt: until });
    return true;
  },
  extend: (queries, { id }, time) => extendUse(queries, id, time),
};

const keysOf = ({ addressKey, siteKey, networkKey }: typeof NO_CLIENT) => ({ addressKey, siteKey, networkKey });

async function findCartCode(queries: Db, code: string, request: CodeRequest): Promise<CartCode> {
  const { cartId, client, at } = request;
  const stored = await findCode(queries, code);
  if (!stored || stored.endedAt !== null) return { code };
  // Once an order was placed, neither days nor other uses matter.
  if (await hasCartUse(queries, code, cartId, at)) return { code, terms: stored };
  const isActive = stateOf(stored, at) === 'active';
  const isFree = isActive && mayUse(stored.maxUses, await countTakenOf(queries, stored, request), client);
  return { code, terms: isFree ? stored : undefined };
}

/** The days of a code do not matter for an order that was placed. */
async function hasFreeUse(queries: Db, code: string, request: CodeRequest): Promise<boolean> {
  const stored = await findCode(queries, code);
  return stored !== undefined && mayUse(stored.maxUses, await countTakenOf(queries, stored, request), request.client);
}

const NONE_TAKEN = { paid: 0, held: 0, heldBy: {} };

async function countTakenOf(
  queries: Db,
  { code, maxUses }: { readonly code: string; readonly maxUses: number | null },
  request: CodeRequest,
) {
  return maxUses === null ? NONE_TAKEN : countTaken(queries, code, request);
}

/** Counts the use of an order that became paid, and releases that of an unpaid order as its reservation. */
export async function updateUse(queries: Db, change: ShopChange): Promise<void> {
  const { id, cartId, discountCode } = change.after;
  if (discountCode === null) return;
  if (becamePaid(change)) return markUsed(queries, { id, cartId, discountCode }, change.at);
  const end = reservationEnd(change);
  if (end !== undefined) await endUse(queries, id, end);
}
