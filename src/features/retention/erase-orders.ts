import { recordEvents } from '@tianguis/payments/back-office';
import type { Db } from '../../tables/database.js';
import { erasePersonalData } from '../../tables/personal-data.js';

/**
 * Removes the personal data of these orders, also that of features. Order lines, total and payment remain for
 * accounting. The caller must have locked the orders and checked that no work needs the data. `by` is the name of the admin
 * user; absent for retention.
 */
export async function eraseOrders(
  queries: Db,
  { ids, at, by }: { readonly ids: readonly string[]; readonly at: number; readonly by?: string },
): Promise<void> {
  if (ids.length === 0) return;
  await erasePersonalData(queries, ids);
  const events = ids.map((orderId) => ({ orderId, at, kind: 'personal_data_erased', detail: { by } }) as const);
  await recordEvents(queries, events);
}
