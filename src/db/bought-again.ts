/** Other orders by which a customer bought all products of an unpaid one. */

import { UNCERTAIN_STATES } from '@tianguis/payments/rules';
import { type SelectQueryBuilder, sql } from 'kysely';
import { isFee } from '../shop/rules/fees.js';
import type { Db } from './database.js';
import { findLinesOfOrders, hasEmail, type Order } from './orders.js';
import type { Schema } from './schema.js';

const DAY_MS = 24 * 60 * 60_000;
/** The other order was paid at most this long before the unpaid one was placed. */
const SHORTLY_BEFORE_MS = DAY_MS;
/** The other order was placed at most this long before: an order can be paid for 90 days. */
const PLACED_BEFORE_MS = 91 * DAY_MS;
/** The newest orders of the customer that are read. */
const MAX_ORDERS = 50;

/**
 * Returns whether orders with the same e-mail address paid all products of this order, or may have paid them: their payment is in
 * review or has an unknown outcome. Not for pages, because a stranger may type the address of a customer.
 */
export async function mayBeBoughtAgain(queries: Db, order: Order): Promise<boolean> {
  const states = ['paid', ...UNCERTAIN_STATES];
  if (order.email === '') return false;
  const found = await others(queries, order, states)
    .where(hasEmail(order.email))
    .where('createdAt', '>=', order.createdAt - PLACED_BEFORE_MS)
    .orderBy('createdAt', 'desc')
    .limit(MAX_ORDERS)
    .execute();
  return (await thoseThatBought(queries, order, found)).length > 0;
}

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
  const paid = others(queries, order, ['paid']).where('id', 'in', ids);
  const found = await paid.where((eb) => eb.not(isRefunded)).execute();
  const newestFirst = found.filter(isOwn).sort((one, other) => other.createdAt - one.createdAt);
  return thoseThatBought(queries, order, newestFirst);
}

/** Each query adds the condition that has an index. */
function others(
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

async function thoseThatBought(queries: Db, { id }: Order, found: readonly Order[]): Promise<readonly Order[]> {
  if (found.length === 0) return [];
  const lines = await findLinesOfOrders(queries, [id, ...found.map((other) => other.id)]);
  const productsOf = (orderId: string) =>
    (lines.get(orderId) ?? []).map(({ productId }) => productId).filter((product) => !isFee(product));
  const wanted = productsOf(id);
  const those = found.filter((other) => productsOf(other.id).some((product) => wanted.includes(product)));
  const bought = those.flatMap((other) => productsOf(other.id));
  return wanted.every((product) => bought.includes(product)) ? those : [];
}
