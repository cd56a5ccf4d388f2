import type { PaymentContext } from './context.js';
import { withStatus } from './lookups.js';
import type { findOutsideObjection, OutsideInput, PaymentObjection } from './rules/decide-outside.js';
import { findAttempts } from './store/attempts.js';
import type { Db } from './store/database.js';
import { findBlockingOrder, findReplacedOrders, type Order } from './store/orders.js';
import { verifyPayment } from './verify-payment.js';

/**
 * Why a person must not change an unpaid order now. `other_order`: another order for the same goods is paid, may be paid, or took
 * the place of this one.
 */
export type OrderRefusal = PaymentObjection | { readonly kind: 'other_order'; readonly number: string };

type LookupsByOrder = ReadonlyMap<string, NonNullable<OutsideInput['lookups']>>;

/** Looks up the payments of an order and of those that it replaced. `version`: the order after it. */
export async function lookUpForPerson(
  context: PaymentContext,
  orderId: string,
): Promise<{ readonly version: number; readonly lookups: LookupsByOrder }> {
  const lookups = new Map<string, NonNullable<OutsideInput['lookups']>>();
  for (const { id } of await findReplacedOrders(context.db.queries, orderId))
    lookups.set(id, (await verifyPayment(context, id, 'merchant')).lookups);
  const verified = await verifyPayment(context, orderId, 'merchant');
  lookups.set(orderId, verified.lookups);
  return { version: verified.order.version, lookups };
}

interface Asked {
  readonly order: Order;
  readonly rule: typeof findOutsideObjection;
  /** Absent: the order is shown, and nothing was looked up. */
  readonly lookups?: LookupsByOrder;
}

/**
 * Returns why the rule refuses a change of the order, or `undefined`. Orders that this one replaced count too, because the customer
 * may still pay their pages.
 */
export async function findRefusal(
  queries: Db,
  { clock, config: { environment } }: Pick<PaymentContext, 'clock' | 'config'>,
  { order, rule, lookups }: Asked,
): Promise<OrderRefusal | undefined> {
  const at = clock.now();
  for (const each of [order, ...(await findReplacedOrders(queries, order.id))]) {
    const attempts = (await findAttempts(queries, each.id)).map(withStatus);
    const answers = lookups && (lookups.get(each.id) ?? new Map());
    const why = rule({ order: each, attempts, lookups: answers, environment, at });
    if (why) return each.id === order.id || why.kind === 'open' ? why : { kind: 'other_order', number: each.number };
  }
  const blocking = await findBlockingOrder(queries, order);
  return blocking && { kind: 'other_order', number: blocking.number };
}
