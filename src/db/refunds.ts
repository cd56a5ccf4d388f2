import type { Selectable } from 'kysely';
import { type Centavos, centavos } from '../domain/money.js';
import { isInFlight } from '../domain/refund.js';
import type { Queries } from './database.js';
import type { RefundsTable } from './schema.js';

/** A row of `refunds`. */
export type Refund = Readonly<Selectable<RefundsTable>>;

/** Stores a refund. The caller must hold the lock of its order. Throws on a unique key if another one is in flight. */
export async function insertRefund(queries: Queries, refund: Omit<Refund, 'inFlight'>): Promise<Refund> {
  const row = { ...refund, inFlight: inFlightFlag(refund.state) };
  await queries.insertInto('refunds').values(row).execute();
  return row;
}

export type RefundChange = Pick<RefundsTable, 'state' | 'updatedAt'> &
  Partial<Pick<RefundsTable, 'gatewayRefundId' | 'gatewayStatus' | 'refundedOn'>>;

/** Changes a refund. The caller must hold the lock of its order. */
export async function updateRefund(queries: Queries, refund: Refund, change: RefundChange): Promise<Refund> {
  const changes = { ...change, inFlight: inFlightFlag(change.state) };
  await queries.updateTable('refunds').set(changes).where('id', '=', refund.id).execute();
  return { ...refund, ...changes };
}

function inFlightFlag(state: Refund['state']): 1 | null {
  return isInFlight(state) ? 1 : null;
}

/** Returns the refund with this id. */
export function findRefund(queries: Queries, id: string): Promise<Refund | undefined> {
  return queries.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns all refunds of an order, oldest first. */
export function findRefunds(queries: Queries, orderId: string): Promise<readonly Refund[]> {
  return queries.selectFrom('refunds').selectAll().where('orderId', '=', orderId).orderBy('id').execute();
}

/** Returns the refunds in flight of the attempts with these gateway ids. */
export async function findRefundsInFlight(
  queries: Queries,
  paymentIds: readonly string[],
): Promise<readonly Refund[]> {
  if (paymentIds.length === 0) return [];
  return queries
    .selectFrom('attempts')
    .innerJoin('refunds', 'refunds.attemptId', 'attempts.id')
    .selectAll('refunds')
    .where('attempts.gatewayId', 'in', paymentIds)
    .where('refunds.inFlight', '=', 1)
    .execute();
}

/** Returns the refund with this id of the gateway. */
export function findRefundByGatewayId(
  queries: Queries,
  gatewayRefundId: string,
): Promise<Refund | undefined> {
  return queries
    .selectFrom('refunds')
    .selectAll()
    .where('gatewayRefundId', '=', gatewayRefundId)
    .executeTakeFirst();
}

/** Returns refunds whose answer is missing although the lease of their sender is over. */
export function findLapsedRefunds(
  queries: Queries,
  { at, most }: { readonly at: number; readonly most: number },
): Promise<readonly Refund[]> {
  return queries
    .selectFrom('refunds')
    .selectAll()
    .where('state', '=', 'sending')
    .where('leasedUntil', '<', at)
    .orderBy('leasedUntil')
    .limit(most)
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

/** Returns the numbers of the orders with a refund that needs a person. Ids of attempts are ordered by time. */
export async function findOrdersWithOpenRefund(queries: Queries, most: number): Promise<readonly string[]> {
  const rows = await queries
    .selectFrom('refunds')
    .innerJoin('orders', 'orders.id', 'refunds.orderId')
    .select('orders.number')
    .where('refunds.inFlight', '=', 1)
    .where('refunds.state', 'in', ['pending', 'unknown'])
    .orderBy('refunds.attemptId')
    .limit(most)
    .execute();
  return rows.map(({ number }) => number);
}
