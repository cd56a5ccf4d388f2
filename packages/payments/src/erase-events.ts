import type { PaymentContext } from './context.js';
import { findAttemptsOfOrders } from './store/attempts.js';
import { deleteEventsNaming } from './store/inbox.js';
import { findNumbers } from './store/orders.js';

/** Deletes the processed webhook events that name these orders. Their bodies may hold data of customers. */
export async function eraseEvents({ db }: Pick<PaymentContext, 'db'>, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length === 0) return;
  const numbers = await findNumbers(db.queries, orderIds);
  const attempts = [...(await findAttemptsOfOrders(db.queries, orderIds)).values()].flat();
  await deleteEventsNaming(db.queries, [...numbers, ...attempts.flatMap(({ gatewayId }) => gatewayId ?? [])]);
}
