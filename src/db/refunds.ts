import type { Selectable } from 'kysely';
import type { Queries } from '../payments/store/database.js';
import type { Order } from '../payments/store/orders.js';
import type { RefundsTable } from '../payments/store/tables.js';

export type Refund = Readonly<Selectable<RefundsTable>>;

export function findRefunds(queries: Queries, orderId: string): Promise<readonly Refund[]> {
  return queries.selectFrom('refunds').selectAll().where('orderId', '=', orderId).orderBy('id').execute();
}

/**
 * Returns how much of its payment was returned to the customer, by order id. Absent if nothing was returned. Refunds of a
 * second payment of a paid order do not count.
 */
export async function findRefundedOrders(
  queries: Queries,
  orders: readonly Pick<Order, 'id' | 'state' | 'paidAttemptId'>[],
): Promise<ReadonlyMap<string, 'full' | 'partial'>> {
  if (orders.length === 0) return new Map();
  const rows = await queries
    .selectFrom('attempts')
    .leftJoin('refunds', (join) =>
      join
        .onRef('refunds.orderId', '=', 'attempts.orderId')
        .onRef('refunds.attemptId', '=', 'attempts.id')
        .on('refunds.kind', '=', 'refund')
        .on('refunds.state', 'in', ['succeeded', 'recorded']),
    )
    .select(['attempts.orderId', 'attempts.id', 'attempts.state'])
    .where(
      'attempts.orderId',
      'in',
      orders.map(({ id }) => id),
    )
    .where((eb) => eb.or([eb('attempts.state', '=', 'refunded'), eb('refunds.id', 'is not', null)]))
    .execute();
  const found = orders.flatMap(({ id, state, paidAttemptId }) => {
    const own = rows.filter((row) => row.orderId === id && (row.id === paidAttemptId || state === 'cancelled'));
    if (own.length === 0) return [];
    return [[id, own.some((row) => row.state === 'refunded') ? 'full' : 'partial'] as const];
  });
  return new Map(found);
}
