import type { PaymentContext } from './context.js';
import type { Tx } from './database/database.js';
import { withoutTablePrefix } from './database/table-prefix.js';
import { findRefusal, lookUpForPerson, type OrderRefusal } from './find-refusal.js';
import { replaceOrder } from './replace-order.js';
import { findReplacementObjection } from './rules/decide-outside.js';
import type { OrderOf } from './store/database.js';
import { findOrder, lockOrder, type Order } from './store/orders.js';
import type { PaymentTables } from './store/tables.js';

export interface ReplacementRequest<T = PaymentTables, O extends Order = Order> {
  readonly orderId: string;
  readonly by: string;
  /**
   * Inserts the new order, with the earlier one locked. `undefined`: it wrote nothing, and the earlier order stays. It keeps the
   * rules of the functions of the host.
   */
  place(tx: Tx<T>, earlier: OrderOf<T>): Promise<O | undefined>;
}

/** `not_placed`: the host placed no order. Both others than `replaced` changed nothing. */
export type ReplacementResult<O = Order> =
  | { readonly kind: 'replaced'; readonly order: O }
  | { readonly kind: 'not_placed' }
  | { readonly kind: 'refused'; readonly why: OrderRefusal };

/**
 * Replaces an unpaid order by a new one, as a person decides. Refused while a payment of the earlier one may be on its way, except
 * on an open page of the gateway. Each attempt that has not ended is looked up first. A payment of the earlier order that arrives
 * later pays that one, and a payment of the other is then a second payment. Throws if the order does not exist or the database
 * fails.
 */
export async function replaceUnpaidOrder<O extends Order>(
  context: PaymentContext,
  { orderId, by, place }: ReplacementRequest<PaymentTables, O>,
): Promise<ReplacementResult<O>> {
  const { db, host } = context;
  const stored = await findOrder(db.queries, orderId);
  if (!stored) throw new Error(`no order has the id ${orderId}`);
  const early = await findRefusal(db.queries, context, { order: stored, rule: findReplacementObjection });
  if (early) return { kind: 'refused', why: early };
  const { lookups } = await lookUpForPerson(context, orderId);
  return db.transaction(async (tx) => {
    await host.lockBefore(tx, [orderId]);
    const earlier = await lockOrder(tx, orderId);
    const why = await findRefusal(tx, context, { order: earlier, rule: findReplacementObjection, lookups });
    if (why) return { kind: 'refused', why };
    const order = await place(withoutTablePrefix(tx), earlier);
    if (!order) return { kind: 'not_placed' };
    await replaceOrder(tx, context, { earlier, successor: order, by });
    return { kind: 'replaced', order };
  });
}
