import { deleteExpiredRows } from '@tianguis/payments/database';
import { EXPIRING_FEATURE_ROWS, EXPIRING_ROWS } from '../tables/expiring-shop-rows.js';
import type { CheckoutContext } from './checkout-context.js';

/**
 * Removes the rows of the shop and its features whose time ended, see `EXPIRING_ROWS`. Returns the number of rows, or 0 if less than a batch
 * was left of each kind.
 */
export function deleteExpiredShopRows({ clock, db }: Pick<CheckoutContext, 'clock' | 'db'>): Promise<number> {
  return deleteExpiredRows(db, [...Object.values(EXPIRING_ROWS), ...EXPIRING_FEATURE_ROWS], clock.now());
}
