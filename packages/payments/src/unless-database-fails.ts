import { isDatabaseError } from './database/database-error.js';
import { errorName } from './rules/error-name.js';
import type { PaymentLog } from './rules/payment-log.js';
import type { Order } from './store/orders.js';

/**
 * Runs work that verifies an order. Logs a database error and returns `undefined`; other errors are thrown.
 * The caller then shows the stored order. The page refreshes itself, and the worker verifies the order later.
 */
export async function unlessDatabaseFails<T>(
  { log }: { readonly log: PaymentLog },
  { number }: Order,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    log.error('order.verify_failed', { order: number, reason: errorName(error) });
    return undefined;
  }
}
