import { findAttempts, findRefunds, recordEvent } from '@tianguis/payments/back-office';
import { type Attempt, isInFlight, needsReview, payingAttemptOf, phaseOf } from '@tianguis/payments/rules';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import type { OrderRequest } from '../../shop/order-requests.js';
import { isErased } from '../../shop/rules/contact.js';
import { isFulfillable, isInShop } from '../../shop/rules/fulfillment.js';
import { lockCartsOfOrders } from '../../tables/carts.js';
import type { Db } from '../../tables/database.js';
import { findFulfillment } from '../../tables/fulfillments.js';
import { findOrder, lockOrder, type Order } from '../../tables/orders.js';
import { orderPath } from '../../web/paths.js';
import { eraseOrders } from './erase-orders.js';
import { deleteFormsOf, findOrderIdsOf } from './repository.js';

/** Why the data of an order is still needed. */
type WaitReason = 'review' | 'payment' | 'shipment';

/**
 * Erases the personal data of all orders with this e-mail address, or without one with this phone number, the processed webhook events that name them, and what was
 * typed into forms with this address or on the pages of these orders.
 * Orders that need further work are skipped. The history of the order records the user, and how many wait and why.
 */
export async function eraseCustomer(
  { db, clock, payments }: Pick<CheckoutContext, 'db' | 'clock' | 'payments'>,
  { orderId, version, by }: OrderRequest,
): Promise<'erased' | 'erased_before' | 'changed'> {
  const at = clock.now();
  const result = await db.transaction(async (queries) => {
    const asked = await findOrder(queries, orderId);
    if (!asked || isErased(asked)) return 'erased_before';
    if (asked.version !== version) return 'changed';
    const waiting: Record<WaitReason, number> = { review: 0, payment: 0, shipment: 0 };
    const erasable: Order[] = [];
    const ids = await findOrderIdsOf(queries, asked);
    // For the lock order see tables/stock.ts.
    await lockCartsOfOrders(queries, ids);
    for (const id of ids) {
      const order = await lockOrder(queries, id);
      const attempts = await findAttempts(queries, id);
      const reason = await waitReason(queries, order, attempts, at);
      if (reason) waiting[reason] += 1;
      else erasable.push(order);
    }
    await eraseOrders(queries, { ids: erasable.map(({ id }) => id), at, by });
    const detail = { erased: erasable.length, ...waiting, by };
    await recordEvent(queries, { orderId, at, kind: 'erasure_requested', detail });
    await deleteFormsOf(queries, asked.email || asked.phone, erasable.map(orderPath));
    return erasable.map(({ id }) => id);
  });
  if (typeof result === 'string') return result;
  await payments.eraseEvents(result);
  return 'erased';
}

/** Returns why the order is skipped. Retention does not wait for a shipment, because its orders are 30 days old or more. */
async function waitReason(
  queries: Db,
  order: Order,
  attempts: readonly Attempt[],
  at: number,
): Promise<WaitReason | undefined> {
  if (needsReview(order)) return 'review';
  const mayBePaid = attempts.some(
    ({ live, state, offerEndsAt }) => live === 1 || (state === 'superseded' && phaseOf(offerEndsAt, at) !== 'over'),
  );
  const refunds = await findRefunds(queries, order.id);
  // The mail about a refund needs the address.
  const isRefunding = refunds.some(({ state }) => isInFlight(state));
  if (order.state === 'pending' || mayBePaid || isRefunding) return 'payment';
  const fulfillment = await findFulfillment(queries, order.id);
  const isWaiting = fulfillment !== undefined && isInShop(fulfillment.state);
  return isWaiting && isFulfillable(order, payingAttemptOf(order, attempts), refunds) ? 'shipment' : undefined;
}
