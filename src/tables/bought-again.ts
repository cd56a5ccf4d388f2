/** Other orders by which a customer bought all products of an unpaid one. */

import { type SelectQueryBuilder, sql } from 'kysely';
import { isFee } from '../shop/rules/fees.js';
import type { Db } from './database.js';
import { findLinesOfOrders, type Order } from './orders.js';
import type { Schema } from './schema.js';

/** The other order was paid at most this long before the unpaid one was placed. */
const SHORTLY_BEFORE_MS = 24 * 60 * 60_000;

/**
 * Returns the orders with these ids that together paid all products of this order, newest first. Without those that `isOwn`
 * refuses, and without refunded ones.
 */
export async function findBoughtAgain(
  queries: Db,
  order: Order,
  { ids, isOwn }: { readonly ids: readonly string[]; readonly isOwn: (other: Order) => boolean },
): Promise<readonly Order[]> {
  if (ids.length === 0) return [];
  const isRefunded = sql<boolean>`exists (select 1 from attempts
    where attempts.id = orders.paid_attempt_id and attempts.state = 'refunded')`;
  const paid = otherOrders(queries, order, ['paid']).where('id', 'in', ids);
  const found = await paid.where((eb) => eb.not(isRefunded)).execute();
  const newestFirst = found.filter(isOwn).sort((one, other) => other.createdAt - one.createdAt);
  return findThoseThatBought(queries, order, newestFirst);
}

/** Selects the other orders in these states, not paid long before this one was placed. Each query adds a condition that has an index. */
export function otherOrders(
  queries: Db,
  { id, createdAt }: Order,
  states: readonly string[],
): SelectQueryBuilder<Schema, 'orders', Order> {
  return (
    queries
      .selectFrom('orders')
      .selectAll()
      .where('id', '<>', id)
      // `state || ''` excludes the index on state, which would read all orders of one state.
      .where(sql<boolean>`state || '' in (${sql.join(states)})`)
      .where(sql<boolean>`coalesce(confirmed_at, created_at) >= ${createdAt - SHORTLY_BEFORE_MS}`)
  );
}

/** Returns those of the orders that together have all products of this order, or none. */
export async function findThoseThatBought(
  queries: Db,
  { id }: Order,
  found: readonly Order[],
): Promise<readonly Order[]> {
  if (found.length === 0) return [];
  const lines = await findLinesOfOrders(queries, [id, ...found.map((other) => other.id)]);
  const productsOf = (orderId: string) =>
    (lines.get(orderId) ?? []).map(({ productId }) => productId).filter((product) => !isFee(product));
  const wanted = productsOf(id);
  const those = found.filter((other) => productsOf(other.id).some((product) => wanted.includes(product)));
  const bought = those.flatMap((other) => productsOf(other.id));
  return wanted.every((product) => bought.includes(product)) ? those : [];
}
