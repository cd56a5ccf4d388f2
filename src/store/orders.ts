import { type Insertable, type Selectable, sql } from 'kysely';
import type { OrderLine } from '../core/cart.js';
import { canMove, type OrderState } from '../core/order.js';
import type { Queries } from './database.js';
import { isPostgres } from './dialects.js';
import { ORDER_COLUMNS, type OrderLinesTable, type OrdersTable } from './schema.js';
import { type Given, statement } from './statement.js';

/** An order as it is kept: the frozen promise and where it stands. */
export type Order = Readonly<Selectable<OrdersTable>>;

const insert = statement((queries, order: Given<Order>) => queries.insertInto('orders').values(order));

const insertLines = statement(
  (queries, { lines }: Given<{ lines: readonly Insertable<OrderLinesTable>[] }>) =>
    queries.insertInto('orderLines').values(lines),
);

/** Writes an order with its lines; fails on a unique key when this cart version has one already. */
export async function insertOrder(
  queries: Queries,
  order: Order,
  lines: readonly OrderLine[],
): Promise<void> {
  await insert.run(queries, order);
  const rows = lines.map((line, position) => ({ orderId: order.id, position, ...line }));
  await insertLines.run(queries, { lines: rows });
}

const selectByToken = statement((queries, { token }: Given<{ token: string }>) =>
  queries.selectFrom('orders').select(ORDER_COLUMNS).where('token', '=', token),
);

export function findOrderByToken(queries: Queries, token: string): Promise<Order | undefined> {
  return selectByToken.first(queries, { token });
}

const selectById = statement((queries, { id }: Given<{ id: string }>) =>
  queries.selectFrom('orders').select(ORDER_COLUMNS).where('id', '=', id),
);

export function findOrder(queries: Queries, id: string): Promise<Order | undefined> {
  return selectById.first(queries, { id });
}

const selectByNumber = statement((queries, { number }: Given<{ number: string }>) =>
  queries.selectFrom('orders').select(ORDER_COLUMNS).where('number', '=', number),
);

export function findOrderByNumber(queries: Queries, number: string): Promise<Order | undefined> {
  return selectByNumber.first(queries, { number });
}

/** Orders that wait for a person, the one that has waited longest first. */
export function findOrdersForPerson(queries: Queries, most: number): Promise<readonly Order[]> {
  return (
    queries
      .selectFrom('orders')
      .select(ORDER_COLUMNS)
      // The words of the partial index, so that both databases use it.
      .where(sql<boolean>`(attention is not null or state = 'outcome_unknown')`)
      .orderBy('updatedAt')
      .limit(most)
      .execute()
  );
}

const selectLatestOfCart = statement((queries, { cartId }: Given<{ cartId: string }>) =>
  queries
    .selectFrom('orders')
    .select(ORDER_COLUMNS)
    .where('cartId', '=', cartId)
    .orderBy('cartVersion', 'desc')
    .limit(1),
);

/** The newest order made from any version of the cart. */
export function findLatestOrderOfCart(queries: Queries, cartId: string): Promise<Order | undefined> {
  return selectLatestOfCart.first(queries, { cartId });
}

const selectKin = statement((queries, { newest }: Given<{ newest: string }>) => {
  // A few orders at the most: asked for by state too, the database would look through all that were ever paid.
  const orders = queries.selectFrom('orders').select(['id', 'state']);
  return orders.where('supersededBy', '=', newest).unionAll(orders.where('id', '=', newest));
});

/** Whether another order for the same goods has been paid: one that this order replaced, or that replaced it. */
export async function isPaidElsewhere(queries: Queries, order: Order): Promise<boolean> {
  const kin = await selectKin.all(queries, { newest: order.supersededBy ?? order.id });
  return kin.some(({ id, state }) => state === 'paid' && id !== order.id);
}

/** Lets every order that an order had replaced point to the one that replaces it now. */
export async function repointSuccessor(queries: Queries, from: string, to: string): Promise<void> {
  await queries.updateTable('orders').set({ supersededBy: to }).where('supersededBy', '=', from).execute();
}

const lock = statement((queries, { id }: Given<{ id: string }>) =>
  queries
    .selectFrom('orders')
    .select(ORDER_COLUMNS)
    .where('id', '=', id)
    .$if(isPostgres(queries), (query) => query.forUpdate()),
);

/** The order, held against every other writer until the transaction ends. */
export async function lockOrder(queries: Queries, id: string): Promise<Order> {
  const order = await lock.first(queries, { id });
  if (!order) throw new Error('there is no such order');
  return order;
}

const selectLines = statement((queries, { orderId }: Given<{ orderId: string }>) =>
  queries
    .selectFrom('orderLines')
    .select(['productId', 'name', 'unitPrice', 'quantity'])
    .where('orderId', '=', orderId)
    .orderBy('position'),
);

export function findOrderLines(queries: Queries, orderId: string): Promise<readonly OrderLine[]> {
  return selectLines.all(queries, { orderId });
}

type OrderPatch = Partial<
  Pick<
    OrdersTable,
    'attention' | 'supersededBy' | 'paidAttemptId' | 'paidAt' | 'firstName' | 'lastName' | 'email'
  >
>;

/**
 * Moves an order that was read in this transaction, and returns it as it is then. The state table and the version guard
 * it: a move the table does not know, or one on stale reading, throws and the transaction rolls back.
 */
export async function moveOrder(
  queries: Queries,
  order: Order,
  change: { readonly to: OrderState; readonly at: number; readonly patch?: OrderPatch },
): Promise<Order> {
  if (!canMove(order.state, change.to)) throw new Error(`no move from ${order.state} to ${change.to}`);
  return updateOrder(queries, order, { ...change.patch, state: change.to, updatedAt: change.at });
}

/** Changes what may change of an order without moving it, guarded by its version; returns it as it is then. */
export async function patchOrder(
  queries: Queries,
  order: Order,
  change: { readonly at: number; readonly patch: OrderPatch },
): Promise<Order> {
  return updateOrder(queries, order, { ...change.patch, updatedAt: change.at });
}

interface OrderChanges extends OrderPatch {
  readonly state?: OrderState;
  readonly updatedAt: number;
  readonly version: number;
}

const update = statement(
  (queries, { id, version, changes }: Given<{ id: string; version: number; changes: OrderChanges }>) =>
    queries.updateTable('orders').set(changes).where('id', '=', id).where('version', '=', version),
);

async function updateOrder(
  queries: Queries,
  order: Order,
  values: Omit<OrderChanges, 'version'>,
): Promise<Order> {
  const { id, version } = order;
  const changes = { ...values, version: version + 1 };
  const updated = await update.run(queries, { id, version, changes });
  if (updated !== 1) throw new Error('the order changed while it was being moved');
  return { ...order, ...changes };
}

interface Fulfilment {
  readonly orderId: string;
  readonly attemptId: string;
  readonly at: number;
}

const insertDelivery = statement((queries, fulfilment: Given<Fulfilment>) =>
  queries.insertInto('fulfilments').values(fulfilment),
);

/** Marks an order as to be delivered; the primary key makes it once, whatever calls it. */
export async function insertFulfilment(queries: Queries, fulfilment: Fulfilment): Promise<void> {
  await insertDelivery.run(queries, fulfilment);
}
