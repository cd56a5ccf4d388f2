/** From a host's cart to its order, beside the orders of its earlier content. */
import type { PaymentContext } from './context.js';
import type { Tx } from './database/database.js';
import { isUniqueConflict } from './database/database-error.js';
import { withoutTablePrefix } from './database/table-prefix.js';
import { withStatus } from './lookups.js';
import { type NewPayment, newPayment, type PaymentColumns } from './new-payment.js';
import { replaceOrder } from './replace-order.js';
import { isOffered } from './rules/attempt.js';
import { decideEarlier } from './rules/decide-earlier.js';
import { decideReplacement } from './rules/decide-replacement.js';
import { hasNoAnswer } from './rules/lookup.js';
import { isPayableAt, isUncertain, type PaymentFlow } from './rules/order.js';
import { PaymentError } from './rules/payment-error.js';
import { findAttempts } from './store/attempts.js';
import type { Transaction } from './store/database.js';
import { findBlockingOrder, findOrder, lockOrder, type Order } from './store/orders.js';
import type { PaymentTables } from './store/tables.js';
import { type Verified, verifyPayment } from './verify-payment.js';

/** A row of the host that names an order. With a table prefix its own order, whose id is that of the payments' order as text. */
interface NamesOrder {
  readonly id: string;
}

/** `total`: that of the lines which `insert` stores. */
export interface PlaceRequest<T = PaymentTables, F extends NamesOrder = NamesOrder> extends Omit<NewPayment, 'at'> {
  /**
   * Returns the latest order of this cart, or of this content of it. Only reads. It may lock what `lockBefore` locks. Runs more than
   * once: before `lockBefore`, after it, and after a unique conflict.
   */
  find(tx: Tx<T>): Promise<F | undefined>;
  /** Returns whether the order that `find` returned is what the customer saw. Otherwise a new one replaces it. */
  same(found: F): boolean;
  /**
   * Inserts the order with these columns, and returns its id. A unique key of the cart's content keeps two clicks from two orders. A
   * content that comes back needs another key.
   */
  insert(tx: Tx<T>, payment: PaymentColumns): Promise<NamesOrder>;
  /**
   * Id of the order of an earlier content of this cart, from the host's own record of the cart. If it was replaced, the newest order
   * stands for it. An order that does not exist is ignored.
   */
  readonly earlier?: string | undefined;
  /** How the customer pays. */
  readonly flow: PaymentFlow;
  /** The customer was warned that an earlier attempt may still be charged, and chose to pay again. */
  readonly payAgain?: boolean | undefined;
}

/** The order that the customer pays or sees. */
export type PlaceResult<O = Order> =
  /** The order of this cart, new or from an earlier click. The caller starts its payment. */
  | { readonly kind: 'placed'; readonly order: O }
  /** This order is paid, or its payment may succeed. No order was placed. */
  | { readonly kind: 'show_order'; readonly order: O }
  /** A page of this order is open and may still be paid. No order was placed. The customer must confirm the warning. */
  | { readonly kind: 'confirm_pay_again'; readonly order: O };

type Step =
  | PlaceResult
  /** The payments of this order must be looked up. */
  | { readonly kind: 'verify_earlier'; readonly order: Order }
  /** Another click placed an order meanwhile. */
  | { readonly kind: 'conflict'; readonly orderId: string; readonly cause?: unknown };

type LookupsByOrder = ReadonlyMap<string, Verified['lookups']>;

/** A round may end with a lookup or a unique conflict. Another one follows. */
const MAX_ROUNDS = 3;

/**
 * Places the order of a cart, or returns the one that it has. Orders that the new one replaces are ended in the same transaction,
 * and linked, so that a payment of both is noticed. An order whose payment was made or may succeed is never replaced.
 * Throws `PaymentError` `busy` if an earlier order may be paid and its lookup has no answer, or another click is not done. Throws
 * the error of `insert` if it conflicts with an order that `find` does not find.
 */
export async function placeOrder<F extends NamesOrder>(
  context: PaymentContext,
  request: PlaceRequest<PaymentTables, F>,
): Promise<PlaceResult> {
  const lookups = new Map<string, Verified['lookups']>();
  let last: { readonly orderId?: string; readonly cause?: unknown } = {};
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const step = await tryPlace(context, request, lookups);
    if (step.kind === 'verify_earlier') {
      const { id } = step.order;
      const verified = await verifyPayment(context, id, 'checkout');
      if ([...verified.lookups.values()].some(hasNoAnswer)) throw new PaymentError('busy', { orderId: id });
      lookups.set(id, verified.lookups);
      last = { orderId: id };
    } else if (step.kind === 'conflict') last = { orderId: step.orderId, cause: step.cause };
    else return step;
  }
  throw new PaymentError('busy', last);
}

/** Reads the orders of the cart with locks, and inserts one if {@link decideEarlier} allows it. */
function tryPlace<F extends NamesOrder>(
  context: PaymentContext,
  request: PlaceRequest<PaymentTables, F>,
  lookups: LookupsByOrder,
): Promise<Step> {
  const { db, host } = context;
  return db.transaction(async (tx) => {
    const find = () => request.find(withoutTablePrefix(tx));
    const expected = await findNewest(tx, [(await find())?.id, request.earlier]);
    await host.lockBefore(tx, expected.toSorted());
    const found = await find();
    const newest = await findNewest(tx, [found?.id, request.earlier]);
    // It was placed while this transaction waited for the lock. Locked now, it would break the order of locks.
    const placed = newest.find((id) => !expected.includes(id));
    if (placed !== undefined) return { kind: 'conflict', orderId: placed };
    const isSame = found !== undefined && request.same(found);
    const orders = await lockOrders(tx, newest);
    for (const order of orders) {
      const isCurrent = isSame && order.id === found.id;
      const step = await besideEarlier(tx, context, { order, isCurrent, lookups, request });
      if (step) return step;
    }
    return insertOrder(tx, context, request, orders);
  });
}

/** Returns the ids of the newest orders in place of these, without those that do not exist. */
async function findNewest(tx: Transaction, ids: readonly (string | undefined)[]): Promise<readonly string[]> {
  const newest = new Set<string>();
  for (const id of ids) {
    const order = id === undefined ? undefined : await findOrder(tx, id);
    if (order) newest.add(order.supersededBy ?? order.id);
  }
  return [...newest];
}

/** Locks by ascending id, and returns the orders as given. */
async function lockOrders(tx: Transaction, ids: readonly string[]): Promise<readonly Order[]> {
  const locked = new Map<string, Order>();
  for (const id of ids.toSorted()) locked.set(id, await lockOrder(tx, id));
  return ids.flatMap((id) => locked.get(id) ?? []);
}

interface Earlier<F extends NamesOrder> {
  readonly order: Order;
  /** `find` returned it, and it is what the customer saw. */
  readonly isCurrent: boolean;
  readonly lookups: LookupsByOrder;
  readonly request: PlaceRequest<PaymentTables, F>;
}

/** Returns what happens instead of a new order, or `undefined` if one may replace this order. */
async function besideEarlier<F extends NamesOrder>(
  tx: Transaction,
  { clock, config: { environment } }: PaymentContext,
  { order, isCurrent, lookups, request: { flow, payAgain = false } }: Earlier<F>,
): Promise<Step | undefined> {
  const at = clock.now();
  const { id, state } = order;
  const isDone = state === 'paid' || isUncertain(state);
  const blocking = isDone ? undefined : await findBlockingOrder(tx, order);
  const attempts = (await findAttempts(tx, id)).map(withStatus);
  const decision = decideEarlier({
    isSettled: isDone || blocking !== undefined,
    mayReuse: isCurrent && isPayableAt(order, at),
    replacement: decideReplacement({ state, attempts, lookups: lookups.get(id), payAgain, environment, at }),
    hasOpenPage: attempts.some((attempt) => isOffered(attempt, at)),
    flow,
    payAgain,
  });
  switch (decision) {
    case 'show_earlier':
      return { kind: 'show_order', order: blocking ?? order };
    case 'reuse':
      return { kind: 'placed', order };
    case 'verify_earlier':
    case 'confirm_pay_again':
      return { kind: decision, order };
    case 'place':
      return undefined;
  }
}

/** `replaced`: locked orders that the new one replaces. */
async function insertOrder<F extends NamesOrder>(
  tx: Transaction,
  context: PaymentContext,
  request: PlaceRequest<PaymentTables, F>,
  replaced: readonly Order[],
): Promise<Step> {
  const { number, total, payableUntil } = request;
  const payment = newPayment({ number, total, payableUntil, at: context.clock.now() }, context.random);
  const inserted = await tx.savepoint(() => request.insert(withoutTablePrefix(tx), payment));
  if (!inserted.ok) {
    const other = isUniqueConflict(inserted.error) ? await request.find(withoutTablePrefix(tx)) : undefined;
    if (!other) throw inserted.error;
    return { kind: 'conflict', orderId: other.id, cause: inserted.error };
  }
  const order = await findOrder(tx, inserted.value.id);
  if (order?.token !== payment.token) throw new Error('insert did not store the columns of the payments under this id');
  for (const earlier of replaced) await replaceOrder(tx, context, { earlier, successor: order });
  return { kind: 'placed', order };
}
