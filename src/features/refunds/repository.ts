import type { Db } from '@tianguis/payments/back-office';
import { type Centavos, centavos } from '@tianguis/payments/rules';

/**
 * Returns what was returned of each order by refunds and reversals, without chargebacks and without money of second payments,
 * which its total does not contain. Orders without refunds are absent.
 */
export async function sumRefunds(queries: Db, orderIds: readonly string[]): Promise<ReadonlyMap<string, Centavos>> {
  const rows = await queries
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.orderId')
    .select((eb) => ['refunds.orderId', eb.fn.sum<number | string>('amount').as('total')])
    .where('refunds.orderId', 'in', orderIds)
    .whereRef((eb) => eb.fn.coalesce('orders.paidAttemptId', 'refunds.attemptId'), '=', 'refunds.attemptId')
    .where('kind', '<>', 'chargeback')
    .where('refunds.state', 'in', ['succeeded', 'recorded'])
    .groupBy('refunds.orderId')
    .execute();
  return new Map(rows.map(({ orderId, total }) => [orderId, centavos(Number(total))]));
}

/** Returns the numbers of the orders with a refund in flight. Ids of attempts are ordered by time. */
export async function findOrdersWithOpenRefund(queries: Db, limit: number): Promise<readonly string[]> {
  const rows = await queries
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.orderId')
    .select('orders.number')
    .where('refunds.inFlight', '=', 1)
    .orderBy('refunds.attemptId')
    .limit(limit)
    .execute();
  return rows.map(({ number }) => number);
}
