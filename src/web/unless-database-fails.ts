import type { CheckoutContext } from '../checkout/context.js';
import { isDatabaseError } from '../db/database-error.js';
import type { Order } from '../db/orders.js';
import { errorName } from '../domain/error-name.js';

/**
 * Runs work that settles an order. Logs a database error and returns `undefined`; other errors are thrown.
 * The caller then shows the stored order. The page refreshes itself, and the worker settles the order later.
 */
export async function unlessDatabaseFails<T>(
  { log }: CheckoutContext,
  order: Order,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    log.error('order.settle_failed', { order: order.number, reason: errorName(error) });
    return undefined;
  }
}
