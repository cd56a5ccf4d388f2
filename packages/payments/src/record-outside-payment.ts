import { applyTransition } from './apply-transition.js';
import type { PaymentContext } from './context.js';
import { findRefusal, lookUpForPerson, type OrderRefusal } from './find-refusal.js';
import { findOutsideObjection, firstOutsideDay } from './rules/decide-outside.js';
import { dayOf, isDay, startOfDay } from './rules/mexico-day.js';
import { findOrder, lockOrder, type Order } from './store/orders.js';

export interface OutsideRequest {
  readonly orderId: string;
  /** The order version on the person's page (optimistic lock). */
  readonly version: number;
  /** The SAT's code of the form of payment, such as 01 for cash. */
  readonly method: string;
  /** The day in Mexico City on which the customer paid, from `firstOutsideDay` to today. */
  readonly paidOn: string;
  /** The host's user made the order, so that it may have been paid before its own day. */
  readonly isPlacedByUser?: boolean | undefined;
  /** May hold personal data. The host erases it with `eraseNotes`. */
  readonly note: string;
  readonly by: string;
}

/** `changed`: the order is not as on the person's page. `day`: in the future, or before `firstOutsideDay`. Both wrote nothing. */
export type OutsideResult =
  | { readonly kind: 'recorded' | 'changed' | 'day' }
  | { readonly kind: 'refused'; readonly why: OrderRefusal };

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
  if (!isDayAllowed(request, stored, clock.now())) return { kind: 'day' };
  const early = await findRefusal(db.queries, context, { order: stored, rule: findOutsideObjection });
  if (early) return { kind: 'refused', why: early };
  const { version, lookups } = await lookUpForPerson(context, orderId);
  return db.transaction(async (tx) => {
    await context.host.lockBefore(tx, [orderId]);
    const order = await lockOrder(tx, orderId);
    if (order.version !== version) return { kind: 'changed' };
    const why = await findRefusal(tx, context, { order, rule: findOutsideObjection, lookups });
    if (why) return { kind: 'refused', why };
    const { method, note, by, paidOn } = request;
    const at = clock.now();
    await applyTransition(tx, context, {
      order,
      attempt: undefined,
      event: { type: 'paid_outside' },
      trigger: 'merchant',
      at,
      patch: { method, note },
      paidAt: timeOn(paidOn, order.createdAt, at),
      history: { kind: 'paid_outside', detail: { method, by } },
    });
    return { kind: 'recorded' };
  });
}

function isDayAllowed({ paidOn, isPlacedByUser = false }: OutsideRequest, { createdAt }: Order, at: number): boolean {
  return isDay(paidOn) && paidOn >= firstOutsideDay(createdAt, isPlacedByUser, at) && paidOn <= dayOf(at);
}

/** Returns noon of a past day, or now. On the day of the order not before it. In milliseconds since 1970. */
function timeOn(day: string, createdAt: number, at: number): number {
  if (day === dayOf(at)) return at;
  const noon = startOfDay(day) + 12 * 60 * 60_000;
  return day === dayOf(createdAt) ? Math.max(createdAt, noon) : noon;
}
