import { IN_REVIEW, lockOrder as lockPayableOrder } from '@tianguis/payments/back-office';
import { UNCERTAIN_STATES } from '@tianguis/payments/rules';
import { type Selectable, sql } from 'kysely';
import type { OrderLine } from '../shop/rules/cart.js';
import { type Contact, isErased } from '../shop/rules/contact.js';
import { furtherNames, searchNames } from '../shop/rules/search-name.js';
import type { Db } from './database.js';
import type { OrdersTable } from './schema.js';

export type Order = Readonly<Selectable<OrdersTable>>;

/** Orders with this e-mail address, without regard to case. */
export function hasEmail(email: string) {
  return sql<boolean>`lower(email) = lower(cast(${email} as text))`;
}

/**
 * Inserts an order with its lines. `reminderFrom`: its time from which the delay of its reminder counts, or null for none. Throws on a
 * unique key when this cart version already has an order.
 */
export async function insertOrder(
  queries: Db,
  order: Order,
  lines: readonly OrderLine[],
  reminderFrom: number | null = order.createdAt,
): Promise<void> {
  await queries
    .insertInto('orders')
    .values({ ...order, ...searchNames(order), reminderFrom })
    .execute();
  const rows = lines.map((line, position) => ({ orderId: order.id, position, ...line }));
  await queries.insertInto('orderLines').values(rows).execute();
  await insertOrderNames(queries, order);
}

async function insertOrderNames(queries: Db, order: Order): Promise<void> {
  const { id: orderId, createdAt } = order;
  const names = furtherNames(order).map((name) => ({ orderId, createdAt, name }));
  if (names.length > 0) await queries.insertInto('orderNames').values(names).execute();
}

export function findOrderByToken(queries: Db, token: string): Promise<Order | undefined> {
  return queries.selectFrom('orders').selectAll().where('token', '=', token).executeTakeFirst();
}

export function findOrder(queries: Db, id: string): Promise<Order | undefined> {
  return queries.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findOrderByNumber(queries: Db, number: string): Promise<Order | undefined> {
  return queries.selectFrom('orders').selectAll().where('number', '=', number).executeTakeFirst();
}

/** Returns orders that need review, least recently changed first. */
export function findOrdersInReview(queries: Db, limit: number): Promise<readonly Order[]> {
  return queries.selectFrom('orders').selectAll().where(IN_REVIEW).orderBy('updatedAt').limit(limit).execute();
}

/** Returns the order of the highest version of the cart that has one. */
export function findLatestOrderOfCart(queries: Db, cartId: string): Promise<Order | undefined> {
  const orders = queries.selectFrom('orders').selectAll().where('cartId', '=', cartId);
  return orders.orderBy('cartVersion', 'desc').limit(1).executeTakeFirst();
}

/**
 * Returns the order by which the merchant corrected this one, if it has the same customer. The link of this one leads to it. Not
 * after an erasure, which leaves open whose order it is, nor after a checkout replaced the corrected order.
 */
export async function findCorrection(queries: Db, order: Order): Promise<Order | undefined> {
  if (order.supersededBy === null || isErased(order)) return undefined;
  const isCorrected =
    (await hasUser(queries, order.id, 'superseded')) && (await hasUser(queries, order.supersededBy, 'placed'));
  const newer = isCorrected ? await findOrder(queries, order.supersededBy) : undefined;
  return newer && newer.email === order.email && newer.phone === order.phone ? newer : undefined;
}

/** Returns whether an admin user caused the last event of this kind. */
export async function hasUser(queries: Db, orderId: string, kind: string): Promise<boolean> {
  const events = queries.selectFrom('orderEvents').select('detail').where('orderId', '=', orderId);
  const event = await events.where('kind', '=', kind).orderBy('id', 'desc').executeTakeFirst();
  const { by }: { by?: unknown } = JSON.parse(event?.detail ?? '{}');
  return by !== undefined;
}

/** Returns the orders of a cart whose payment is in review or has an unknown outcome, with their lines. */
export async function findUncertainOrders(queries: Db, cartId: string) {
  const orders = queries.selectFrom('orders').selectAll().where('cartId', '=', cartId);
  const uncertain = await orders.where('state', 'in', UNCERTAIN_STATES).orderBy('id').execute();
  if (uncertain.length === 0) return [];
  const lines = await findLinesOfOrders(
    queries,
    uncertain.map(({ id }) => id),
  );
  return uncertain.map((order) => ({ order, lines: lines.get(order.id) ?? [] }));
}

/**
 * Ends the payment links of all other orders of a locked cart. An uncertain order keeps its own: the newer order has none of
 * its products.
 */
export async function endLinksOfCart(queries: Db, cartId: string, exceptId: string): Promise<void> {
  await queries
    .updateTable('orders')
    .set({ payableUntil: null })
    .where('cartId', '=', cartId)
    .where('id', '<>', exceptId)
    .where('payableUntil', 'is not', null)
    .where('state', 'not in', UNCERTAIN_STATES)
    .execute();
}

/** Returns the lines of these orders by order id, each list in order of position. */
export async function findLinesOfOrders(
  queries: Db,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly OrderLine[]>> {
  // PostgreSQL refuses an empty list.
  if (orderIds.length === 0) return new Map();
  const lines = await queries
    .selectFrom('orderLines')
    .select(['orderId', 'productId', 'name', 'unitPrice', 'priceBefore', 'quantity', 'taxRate', 'discount'])
    .where('orderId', 'in', orderIds)
    .orderBy('orderId')
    .orderBy('position')
    .execute();
  const byOrder = new Map<string, OrderLine[]>();
  for (const { orderId, ...line } of lines) byOrder.set(orderId, [...(byOrder.get(orderId) ?? []), line]);
  return byOrder;
}

export async function findOrderLines(queries: Db, orderId: string): Promise<readonly OrderLine[]> {
  return (await findLinesOfOrders(queries, [orderId])).get(orderId) ?? [];
}

/** Locks the order until the transaction ends, and returns it. Throws when it does not exist. */
export async function lockOrder(queries: Db, id: string): Promise<Order> {
  // The payments read all columns.
  return (await lockPayableOrder(queries, id)) as Order;
}

/** The columns that the shop changes. */
export type DetailPatch = Partial<Pick<OrdersTable, 'contactHash' | 'note' | 'token' | keyof Contact>>;

/** Changes columns of the shop, with an optimistic lock. Returns the changed order. Throws on a conflict. */
export async function patchDetails(
  queries: Db,
  order: Order,
  { at, patch }: { readonly at: number; readonly patch: DetailPatch },
): Promise<Order> {
  const { id, version } = order;
  const changed = { ...order, ...patch, updatedAt: at, version: version + 1 };
  const isRenamed = patch.firstName !== undefined;
  const { numUpdatedRows } = await queries
    .updateTable('orders')
    .set({ ...patch, updatedAt: at, version: version + 1, ...(isRenamed && searchNames(changed)) })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error('the order changed since it was read');
  if (isRenamed) {
    await queries.deleteFrom('orderNames').where('orderId', '=', id).execute();
    await insertOrderNames(queries, changed);
  }
  return changed;
}
