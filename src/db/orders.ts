import { type Selectable, sql } from 'kysely';
import { isPostgres } from '../database/dialects.js';
import type { OrderLine } from '../domain/cart.js';
import { changesRow } from '../domain/changes-row.js';
import type { Contact } from '../domain/contact.js';
import { type OrderState, UNCERTAIN_STATES } from '../domain/order.js';
import { furtherNames, searchNames } from '../domain/search-name.js';
import type { Queries } from './database.js';
import type { OrderEventsTable, OrdersTable } from './schema.js';

export type Order = Readonly<Selectable<OrdersTable>>;

/** Orders that need review. Same text as in the partial indexes, so that both databases use them. */
export const IN_REVIEW = sql<boolean>`(orders.review_reason is not null or orders.state = 'outcome_unknown')`;

/** Orders with this e-mail address, without regard to case. */
export function hasEmail(email: string) {
  return sql<boolean>`lower(email) = lower(cast(${email} as text))`;
}

/** Inserts an order with its lines. Throws on a unique key when this cart version already has an order. */
export async function insertOrder(queries: Queries, order: Order, lines: readonly OrderLine[]): Promise<void> {
  await queries
    .insertInto('orders')
    .values({ ...order, ...searchNames(order), reminderFrom: order.createdAt })
    .execute();
  const rows = lines.map((line, position) => ({ orderId: order.id, position, ...line }));
  await queries.insertInto('orderLines').values(rows).execute();
  await insertOrderNames(queries, order);
}

async function insertOrderNames(queries: Queries, order: Order): Promise<void> {
  const { id: orderId, createdAt } = order;
  const names = furtherNames(order).map((name) => ({ orderId, createdAt, name }));
  if (names.length > 0) await queries.insertInto('orderNames').values(names).execute();
}

/** Deletes the names by which these orders are found. */
export async function deleteOrderNames(queries: Queries, orderIds: readonly string[]): Promise<void> {
  await queries.deleteFrom('orderNames').where('orderId', 'in', orderIds).execute();
}

export function findOrderByToken(queries: Queries, token: string): Promise<Order | undefined> {
  return queries.selectFrom('orders').selectAll().where('token', '=', token).executeTakeFirst();
}

export function findOrder(queries: Queries, id: string): Promise<Order | undefined> {
  return queries.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findOrderByNumber(queries: Queries, number: string): Promise<Order | undefined> {
  return queries.selectFrom('orders').selectAll().where('number', '=', number).executeTakeFirst();
}

/** Returns orders that need review, least recently changed first. */
export function findOrdersInReview(queries: Queries, limit: number): Promise<readonly Order[]> {
  return queries.selectFrom('orders').selectAll().where(IN_REVIEW).orderBy('updatedAt').limit(limit).execute();
}

/** Returns the order of the highest version of the cart that has one. */
export function findLatestOrderOfCart(queries: Queries, cartId: string): Promise<Order | undefined> {
  return latestOrderOfCart(queries, cartId).executeTakeFirst();
}

/** Locks the latest order of a locked cart until the transaction ends, and returns it. */
export function lockLatestOrderOfCart(queries: Queries, cartId: string): Promise<Order | undefined> {
  const latest = latestOrderOfCart(queries, cartId);
  return latest.$if(isPostgres(queries), (query) => query.forUpdate()).executeTakeFirst();
}

function latestOrderOfCart(queries: Queries, cartId: string) {
  const orders = queries.selectFrom('orders').selectAll().where('cartId', '=', cartId);
  return orders.orderBy('cartVersion', 'desc').limit(1);
}

/** Returns the orders of a cart whose payment is in review or has an unknown outcome, with their lines. */
export async function findUncertainOrders(queries: Queries, cartId: string) {
  const orders = queries.selectFrom('orders').selectAll().where('cartId', '=', cartId);
  const uncertain = await orders.where('state', 'in', UNCERTAIN_STATES).orderBy('id').execute();
  if (uncertain.length === 0) return [];
  const lines = await findLinesOfOrders(
    queries,
    uncertain.map(({ id }) => id),
  );
  return uncertain.map((order) => ({ order, lines: lines.get(order.id) ?? [] }));
}

export async function isPaidByOtherOrder(queries: Queries, order: Order): Promise<boolean> {
  return (await findOtherPaidOrder(queries, order)) !== undefined;
}

/** Returns the number of another paid order for the same products. `supersededBy` links such orders to the newest one. */
export async function findOtherPaidOrder(queries: Queries, order: Order): Promise<string | undefined> {
  const newest = order.supersededBy ?? order.id;
  // No filter by state: the planner might choose its index and read every paid order.
  const orders = queries.selectFrom('orders').select(['id', 'number', 'state']);
  const related = await orders
    .where('supersededBy', '=', newest)
    .unionAll(orders.where('id', '=', newest))
    .execute();
  return related.find(({ id, state }) => state === 'paid' && id !== order.id)?.number;
}

/** Sets the successor of every order that `from` replaced to `to`. */
export async function updateSuccessor(queries: Queries, from: string, to: string): Promise<void> {
  await queries.updateTable('orders').set({ supersededBy: to }).where('supersededBy', '=', from).execute();
}

/**
 * Ends the payment links of all other orders of a locked cart. An uncertain order keeps its own: the newer order has none of
 * its products.
 */
export async function endLinksOfCart(queries: Queries, cartId: string, exceptId: string): Promise<void> {
  await queries
    .updateTable('orders')
    .set({ payableUntil: null })
    .where('cartId', '=', cartId)
    .where('id', '<>', exceptId)
    .where('payableUntil', 'is not', null)
    .where('state', 'not in', UNCERTAIN_STATES)
    .execute();
}

/**
 * Returns the order because of which this one is not paid: the one that replaced it, or a replaced one that may be paid. The
 * cart must be locked.
 */
export async function findBlockingOrder(queries: Queries, { id, supersededBy }: Order): Promise<Order | undefined> {
  return supersededBy === null ? findBlockingReplaced(queries, id) : findOrder(queries, supersededBy);
}

/**
 * Returns whether an order that this one replaced is paid, in review, of unknown outcome, or has a live attempt. The cart must
 * be locked.
 */
export async function isBlockedByReplaced(queries: Queries, id: string): Promise<boolean> {
  return (await findBlockingReplaced(queries, id)) !== undefined;
}

function findBlockingReplaced(queries: Queries, id: string): Promise<Order | undefined> {
  return queries
    .selectFrom('orders')
    .selectAll()
    .where('supersededBy', '=', id)
    .where((eb) => {
      const attempts = eb.selectFrom('attempts').select('attempts.id').whereRef('attempts.orderId', '=', 'orders.id');
      const isBlocking = eb('orders.state', 'in', ['paid', ...UNCERTAIN_STATES]);
      return eb.or([isBlocking, eb.exists(attempts.where('live', '=', 1))]);
    })
    .limit(1)
    .executeTakeFirst();
}

/** Locks the order until the transaction ends, and returns it. Throws when it does not exist. */
export async function lockOrder(queries: Queries, id: string): Promise<Order> {
  const order = await queries
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', id)
    .$if(isPostgres(queries), (query) => query.forUpdate())
    .executeTakeFirst();
  if (!order) throw new Error('no such order');
  return order;
}

/** Returns the lines of these orders by order id, each list in order of position. */
export async function findLinesOfOrders(
  queries: Queries,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly OrderLine[]>> {
  // PostgreSQL refuses an empty list.
  if (orderIds.length === 0) return new Map();
  const lines = await queries
    .selectFrom('orderLines')
    .select(['orderId', 'productId', 'name', 'unitPrice', 'quantity', 'taxRate'])
    .where('orderId', 'in', orderIds)
    .orderBy('orderId')
    .orderBy('position')
    .execute();
  const byOrder = new Map<string, OrderLine[]>();
  for (const { orderId, ...line } of lines) byOrder.set(orderId, [...(byOrder.get(orderId) ?? []), line]);
  return byOrder;
}

export async function findOrderLines(queries: Queries, orderId: string): Promise<readonly OrderLine[]> {
  return (await findLinesOfOrders(queries, [orderId])).get(orderId) ?? [];
}

export type OrderPatch = Partial<
  Pick<
    OrdersTable,
    | 'reviewReason'
    | 'supersededBy'
    | 'payableUntil'
    | 'paidAttemptId'
    | 'paidAt'
    | 'confirmedAt'
    | 'contactHash'
    | 'note'
    | keyof Contact
  >
>;

/**
 * Sets the state and other columns of an order that was read in this transaction. Returns the changed order, or the same
 * object if no column changes. Only `checkout/apply-transition.ts` calls it. Throws when a paid order would get another state, and
 * when the order changed since it was read.
 */
export async function updateOrderState(
  queries: Queries,
  order: Order,
  { to, at, patch }: { readonly to: OrderState; readonly at: number; readonly patch?: OrderPatch },
): Promise<Order> {
  const changes = { ...patch, state: to };
  if (!changesRow(order, changes)) return order;
  if (order.state === 'paid' && to !== 'paid') throw new Error('a paid order never changes its state');
  return updateOrder(queries, order, { ...changes, updatedAt: at });
}

/** Changes columns other than the state, with an optimistic lock. Returns the changed order. Throws on a conflict. */
export async function patchOrder(
  queries: Queries,
  order: Order,
  change: { readonly at: number; readonly patch: OrderPatch },
): Promise<Order> {
  return updateOrder(queries, order, { ...change.patch, updatedAt: change.at });
}

/** Increments the version of an order whose refunds or jobs changed, so that open forms are outdated. */
export function incrementOrderVersion(queries: Queries, order: Order, at: number): Promise<Order> {
  return updateOrder(queries, order, { updatedAt: at });
}

async function updateOrder(
  queries: Queries,
  order: Order,
  values: OrderPatch & { readonly state?: OrderState; readonly updatedAt: number },
): Promise<Order> {
  const { id, version } = order;
  const changes = { ...values, version: version + 1 };
  const names = values.firstName === undefined ? {} : searchNames({ ...order, ...changes });
  const { numUpdatedRows } = await queries
    .updateTable('orders')
    .set({ ...changes, ...names })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error('the order changed since it was read');
  const changed = { ...order, ...changes };
  if (values.firstName !== undefined) {
    await deleteOrderNames(queries, [id]);
    await insertOrderNames(queries, changed);
  }
  return changed;
}

/** One entry of an order's history, without personal data, card data or secrets. */
export interface OrderEvent {
  readonly orderId: string;
  readonly at: number;
  readonly kind: string;
  readonly detail: Readonly<Record<string, string | number | boolean | null | undefined>>;
}

/** Adds an entry to an order's history. Call it in the transaction of the change. */
export async function recordEvent(queries: Queries, event: OrderEvent): Promise<void> {
  await recordEvents(queries, [event]);
}

export async function recordEvents(queries: Queries, events: readonly OrderEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({ ...event, detail: JSON.stringify(event.detail) }));
  await queries.insertInto('orderEvents').values(rows).execute();
}

export function findHistory(queries: Queries, orderId: string): Promise<readonly Selectable<OrderEventsTable>[]> {
  return queries.selectFrom('orderEvents').selectAll().where('orderId', '=', orderId).orderBy('id').execute();
}
