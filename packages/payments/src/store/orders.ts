/** The orders as the payments see them. A host reads the same rows with all its columns. */
import { type Selectable, sql } from 'kysely';
import { compileOnce } from '../database/compile-once.js';
import { isPostgres } from '../database/dialects.js';
import { refuseTablePrefix } from '../database/table-prefix.js';
import { changesRow } from '../rules/changes-row.js';
import { type OrderState, UNCERTAIN_STATES } from '../rules/order.js';
import type { Db } from './database.js';
import type { OrderEventsTable, PayableOrdersTable } from './tables.js';

/** An order, with the columns of its host too. Their types are the host's. */
export type Order = Readonly<Selectable<PayableOrdersTable>>;

/** Orders that need review. Same text as in the partial indexes, so that both databases use them. */
export const IN_REVIEW = sql<boolean>`(orders.review_reason is not null or orders.state = 'outcome_unknown')`;

export function findOrderByToken(queries: Db, token: string): Promise<Order | undefined> {
  return queries.selectFrom('orders').selectAll().where('token', '=', token).executeTakeFirst();
}

export function findOrder(queries: Db, id: string): Promise<Order | undefined> {
  return queries.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findNumbers(queries: Db, ids: readonly string[]): Promise<readonly string[]> {
  const orders = await queries.selectFrom('orders').select('number').where('id', 'in', ids).execute();
  return orders.map(({ number }) => number);
}

export async function isPaidByOtherOrder(queries: Db, order: Order): Promise<boolean> {
  return (await findOtherPaidOrder(queries, order)) !== undefined;
}

/** Returns the number of another paid order for the same goods. `supersededBy` links such orders to the newest one. */
export async function findOtherPaidOrder(queries: Db, order: Order): Promise<string | undefined> {
  refuseTablePrefix(queries);
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
export async function updateSuccessor(queries: Db, from: string, to: string): Promise<void> {
  await queries.updateTable('orders').set({ supersededBy: to }).where('supersededBy', '=', from).execute();
}

/**
 * Returns the order because of which this one is not paid: the one that replaced it, or a replaced one that may be paid. What
 * the host locks before the orders must be locked.
 */
export async function findBlockingOrder(queries: Db, { id, supersededBy }: Order): Promise<Order | undefined> {
  return supersededBy === null ? findBlockingReplaced(queries, id) : findOrder(queries, supersededBy);
}

export function findReplacedOrders(queries: Db, id: string): Promise<readonly Order[]> {
  return queries.selectFrom('orders').selectAll().where('supersededBy', '=', id).orderBy('id').execute();
}

/**
 * Returns whether an order that this one replaced is paid, in review, of unknown outcome, or has a live attempt. What the
 * host locks before the orders must be locked.
 */
export async function isBlockedByReplaced(queries: Db, id: string): Promise<boolean> {
  refuseTablePrefix(queries);
  return (await findBlockingReplaced(queries, id)) !== undefined;
}

function findBlockingReplaced(queries: Db, id: string): Promise<Order | undefined> {
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

/**
 * Locks these orders and all that replaced them or were replaced by them, in the order of their ids. Two of them may become paid at
 * once. SQLite has one writer.
 */
export async function lockLinkedOrders(queries: Db, ids: readonly string[]): Promise<void> {
  if (!isPostgres(queries) || ids.length === 0) return;
  const orders = queries.selectFrom('orders');
  const newest = orders.select((eb) => eb.fn.coalesce('supersededBy', 'id').as('id')).where('id', 'in', ids);
  const linked = await orders
    .select('id')
    .where('id', 'in', newest)
    .union(orders.select('id').where('supersededBy', 'in', newest))
    .execute();
  const found = linked.map(({ id }) => id);
  if (found.length > 0) await orders.select('id').where('id', 'in', found).orderBy('id').forUpdate().execute();
}

const lockedOrder = compileOnce((queries: Db, { id }: { readonly id: string }) => {
  const order = queries.selectFrom('orders').selectAll().where('id', '=', id);
  return order.$if(isPostgres(queries), (query) => query.forUpdate());
});

/** Locks the order until the transaction ends, and returns it. Throws when it does not exist. */
export async function lockOrder(queries: Db, id: string): Promise<Order> {
  refuseTablePrefix(queries, 'orders.lock');
  const [order] = await lockedOrder(queries, { id });
  if (!order) throw new Error(`no order has the id ${id}`);
  return order;
}

/** The columns that the payments change together with a state. */
export type OrderPatch = Partial<
  Pick<
    PayableOrdersTable,
    'reviewReason' | 'supersededBy' | 'payableUntil' | 'paidAttemptId' | 'paidAt' | 'confirmedAt'
  >
>;

/**
 * Sets the state and other columns of an order that was read in this transaction. Returns the changed order, or the same
 * object if no column changes. Only `apply-transition.ts` calls it. Throws when a paid order would get another state, and
 * when the order changed since it was read.
 */
export async function updateOrderState(
  queries: Db,
  order: Order,
  { to, at, patch }: { readonly to: OrderState; readonly at: number; readonly patch?: OrderPatch },
): Promise<Order> {
  const changes = { ...patch, state: to };
  if (!changesRow(order, changes)) return order;
  if (order.state === 'paid' && to !== 'paid') throw new Error('a paid order never changes its state');
  return updateOrder(queries, order, { ...changes, updatedAt: at });
}

/** Changes columns other than the state, with an optimistic lock. Returns the changed order. Throws on a conflict. */
export function patchOrder<O extends Order>(
  queries: Db,
  order: O,
  change: { readonly at: number; readonly patch: OrderPatch },
): Promise<O> {
  return updateOrder(queries, order, { ...change.patch, updatedAt: change.at });
}

/** Increments the version of an order whose refunds or jobs changed, so that open forms are outdated. */
export function incrementOrderVersion<O extends Order>(queries: Db, order: O, at: number): Promise<O> {
  refuseTablePrefix(queries);
  return updateOrder(queries, order, { updatedAt: at });
}

async function updateOrder<O extends Order>(
  queries: Db,
  order: O,
  values: OrderPatch & { readonly state?: OrderState; readonly updatedAt: number },
): Promise<O> {
  const { id, version } = order;
  const changes = { ...values, version: version + 1 };
  const { numUpdatedRows } = await queries
    .updateTable('orders')
    .set(changes)
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error('the order changed since it was read');
  return { ...order, ...changes };
}

/** One entry of an order's history, without personal data, card data or secrets. */
export interface OrderEvent {
  readonly orderId: string;
  readonly at: number;
  readonly kind: string;
  readonly detail: Readonly<Record<string, string | number | boolean | null | undefined>>;
}

/** Adds an entry to an order's history. Call it in the transaction of the change. */
export async function recordEvent(queries: Db, event: OrderEvent): Promise<void> {
  await recordEvents(queries, [event]);
}

export async function recordEvents(queries: Db, events: readonly OrderEvent[]): Promise<void> {
  refuseTablePrefix(queries, 'recordEvent');
  if (events.length === 0) return;
  const rows = events.map((event) => ({ ...event, detail: JSON.stringify(event.detail) }));
  await queries.insertInto('orderEvents').values(rows).execute();
}

/** An entry of the history of an order. */
export type HistoryEntry = Readonly<Selectable<OrderEventsTable>>;

/** Returns the history of an order, oldest first. */
export function findHistory(queries: Db, orderId: string): Promise<readonly HistoryEntry[]> {
  refuseTablePrefix(queries, 'orders.history');
  return queries.selectFrom('orderEvents').selectAll().where('orderId', '=', orderId).orderBy('id').execute();
}
