import type { CheckoutServices } from '../checkout/services.js';
import { isDatabaseFault } from '../db/database-fault.js';
import type { Order } from '../db/orders.js';
import { faultName } from '../domain/fault-name.js';

/**
 * Runs work that settles an order. Logs a database error and returns `undefined`; other errors are thrown.
 * The caller then shows the stored order. The page refreshes itself, and the worker settles the order later.
 */
export async function unlessDatabaseFails<T>(
  { log }: CheckoutServices,
  order: Order,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseFault(error)) throw error;
    log.error('settle_put_off', { order: order.number, reason: faultName(error) });
    return undefined;
  }
}
