import type { Refund } from '../../db/refunds.js';
import { type Centavos, centavos } from '../../domain/money.js';
import { isInFlight } from '../../domain/refund.js';
import type { Queries } from '../../payments/store/database.js';

/** Stores a refund. The caller must hold the lock of its order. Throws on a unique key if another one is in flight. */
export function insertRefund(
  queries: Queries,
  refund: Omit<Refund, 'inFlight' | 'gatewayRefundId' | 'gatewayStatus'>,
): Promise<Refund> {
  const row = { ...refund, inFlight: isInFlight(refund.state) ? 1 : null };
  return queries.insertInto('refunds').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Changes a refund. The caller must hold the lock of its order. */
export function updateRefund(
  queries: Queries,
  id: string,
  change: Partial<Refund> & Pick<Refund, 'state'>,
): Promise<Refund> {
  return queries
    .updateTable('refunds')
    .set({ ...change, inFlight: isInFlight(change.state) ? 1 : null })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function findRefund(queries: Queries, id: string): Promise<Refund | undefined> {
  return queries.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns the refund in flight of the attempt with this gateway id, if the refund itself has no gateway id. */
export function findRefundInFlight(queries: Queries, gatewayId: string): Promise<Refund | undefined> {
  return queries
    .selectFrom('attempts')
    .innerJoin('refunds', 'refunds.attemptId', 'attempts.id')
    .selectAll('refunds')
    .where('attempts.gatewayId', '=', gatewayId)
    .where('refunds.inFlight', '=', 1)
    .where('refunds.gatewayRefundId', 'is', null)
    .executeTakeFirst();
}

export function findRefundByGatewayId(queries: Queries, id: string): Promise<Refund | undefined> {
  return queries.selectFrom('refunds').selectAll().where('gatewayRefundId', '=', id).executeTakeFirst();
}

/** Returns refunds whose lease expired before the gateway's response was stored. */
export function findRefundsWithExpiredLease(
  queries: Queries,
  { at, limit }: { readonly at: number; readonly limit: number },
): Promise<readonly Refund[]> {
  return queries
    .selectFrom('refunds')
    .selectAll()
    .where('state', '=', 'sending')
    .where('leasedUntil', '<', at)
    .orderBy('leasedUntil')
    .limit(limit)
    .execute();
}

/** Returns what was returned to the customer per order, without chargebacks. Orders without refunds are absent. */
export async function sumRefunds(
  queries: Queries,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, Centavos>> {
  const rows = await queries
    .selectFrom('refunds')
    .select((eb) => ['orderId', eb.fn.sum<number | string>('amount').as('total')])
    .where('orderId', 'in', orderIds)
    .where('kind', '=', 'refund')
    .where('state', 'in', ['succeeded', 'recorded'])
    .groupBy('orderId')
    .execute();
  return new Map(rows.map(({ orderId, total }) => [orderId, centavos(Number(total))]));
}

/** Returns the numbers of the orders with a refund in flight. Ids of attempts are ordered by time. */
export async function findOrdersWithOpenRefund(queries: Queries, limit: number): Promise<readonly string[]> {
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
