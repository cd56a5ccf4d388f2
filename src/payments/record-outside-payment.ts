import { applyTransition } from './apply-transition.js';
import type { PaymentContext } from './context.js';
import { withStatus } from './lookups.js';
import { findOutsideObjection, type OutsideInput, type OutsideObjection } from './rules/decide-outside.js';
import { dayOf, isDayBetween, startOfDay } from './rules/mexico-day.js';
import { findAttempts } from './store/attempts.js';
import type { Db } from './store/database.js';
import { findBlockingOrder, findOrder, findReplacedOrders, lockOrder, type Order } from './store/orders.js';
import { verifyPayment } from './verify-payment.js';

export interface OutsideRequest {
  readonly orderId: string;
  /** The order version on the person's page (optimistic lock). */
  readonly version: number;
  /** The SAT's code of the form of payment, such as 01 for cash. */
  readonly method: string;
  /** The day in Mexico City on which the customer paid, from the placement of the order to today. */
  readonly paidOn: string;
  /** May hold personal data. The host erases it with `eraseNotes`. */
  readonly note: string;
  readonly by: string;
}

/** `other_order`: another order for the same goods is paid, may be paid, or took the place of this one. */
export type OutsideRefusal = OutsideObjection | { readonly kind: 'other_order'; readonly number: string };

/** `changed`: the order is not as on the person's page. `day`: in the future, or before the order. Both wrote nothing. */
export type OutsideResult =
  | { readonly kind: 'recorded' | 'changed' | 'day' }
  | { readonly kind: 'refused'; readonly why: OutsideRefusal };

/**
 * Records that an unpaid order was paid past the gateway: it inserts a paid attempt with the flow `outside`, and the order is paid
 * through it. Refused while a payment at the gateway may be on its way. Each attempt that has not ended is looked up first and
 * must wait for the customer only. A payment that still arrives later is a second payment.
 * Throws if the order does not exist or the database fails.
 */
export async function recordOutsidePayment(context: PaymentContext, request: OutsideRequest): Promise<OutsideResult> {
  const { db, clock } = context;
  const { orderId } = request;
  const stored = await findOrder(db.queries, orderId);
  if (!stored) throw new Error(`no order has the id ${orderId}`);
  if (stored.version !== request.version) return { kind: 'changed' };
  if (!isDayBetween(request.paidOn, stored.createdAt, clock.now())) return { kind: 'day' };
  const early = await findOutsideRefusal(db.queries, context, stored);
  if (early) return { kind: 'refused', why: early };
  const lookups: Lookups = new Map();
  for (const { id } of await findReplacedOrders(db.queries, orderId))
    lookups.set(id, (await verifyPayment(context, id, 'merchant')).lookups);
  const verified = await verifyPayment(context, orderId, 'merchant');
  lookups.set(orderId, verified.lookups);
  return db.transaction(async (tx) => {
    await context.host.lockBefore(tx, [orderId]);
    const order = await lockOrder(tx, orderId);
    if (order.version !== verified.order.version) return { kind: 'changed' };
    const why = await findOutsideRefusal(tx, context, order, lookups);
    if (why) return { kind: 'refused', why };
    const { method, note, by, paidOn } = request;
    const at = clock.now();
    await applyTransition(tx, context, {
      ...{ order, attempt: undefined, event: { type: 'paid_outside' }, trigger: 'merchant', at },
      patch: { method, note },
      paidAt: timeOn(paidOn, order.createdAt, at),
      history: { kind: 'paid_outside', detail: { method, by } },
    });
    return { kind: 'recorded' };
  });
}

type Lookups = Map<string, NonNullable<OutsideInput['lookups']>>;

/**
 * Returns why an order must not be recorded as paid past the gateway, or `undefined`. A page asks without `lookups`. Orders that
 * this one replaced count too, because the customer may still pay their pages.
 */
export async function findOutsideRefusal(
  queries: Db,
  { clock, config: { environment } }: Pick<PaymentContext, 'clock' | 'config'>,
  order: Order,
  lookups?: Lookups,
): Promise<OutsideRefusal | undefined> {
  const at = clock.now();
  for (const each of [order, ...(await findReplacedOrders(queries, order.id))]) {
    const attempts = (await findAttempts(queries, each.id)).map(withStatus);
    const answers = lookups && (lookups.get(each.id) ?? new Map());
    const why = findOutsideObjection({ order: each, attempts, lookups: answers, environment, at });
    if (why) return each.id === order.id || why.kind === 'open' ? why : { kind: 'other_order', number: each.number };
  }
  const blocking = await findBlockingOrder(queries, order);
  return blocking && { kind: 'other_order', number: blocking.number };
}

/** Returns noon of a past day, or now, never before the order. In milliseconds since 1970. */
function timeOn(day: string, createdAt: number, at: number): number {
  return day === dayOf(at) ? at : Math.max(createdAt, startOfDay(day) + 12 * 60 * 60_000);
}
