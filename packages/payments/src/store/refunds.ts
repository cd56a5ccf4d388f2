import type { Selectable } from 'kysely';
import { refuseTablePrefix } from '../database/table-prefix.js';
import { type Centavos, centavos } from '../rules/money.js';
import { isInFlight } from '../rules/refund.js';
import type { Db } from './database.js';
import type { Order } from './orders.js';
import type { RefundsTable } from './tables.js';

export type Refund = Readonly<Selectable<RefundsTable>>;

export function findRefunds(queries: Db, orderId: string): Promise<readonly Refund[]> {
  refuseTablePrefix(queries, 'orders.refunds');
  return queries.selectFrom('refunds').selectAll().where('orderId', '=', orderId).orderBy('id').execute();
}

/**
 * Returns how much of its payment was returned to the customer, by order id. Absent if nothing was returned. Refunds of a
 * second payment of a paid order do not count. `reversed`: a payment past the gateway was taken back.
 */
export async function findRefundedOrders(
  queries: Db,
  orders: readonly Pick<Order, 'id' | 'state' | 'paidAttemptId'>[],
): Promise<ReadonlyMap<string, 'full' | 'partial' | 'reversed'>> {
  refuseTablePrefix(queries, 'orders.refunds');
  if (orders.length === 0) return new Map();
  const rows = await queries
    .selectFrom('attempts')
    .leftJoin('refunds', (join) =>
      join
        .onRef('refunds.orderId', '=', 'attempts.orderId')
        .onRef('refunds.attemptId', '=', 'attempts.id')
        .on('refunds.kind', 'in', ['refund', 'reversal'])
        .on('refunds.state', 'in', ['succeeded', 'recorded']),
    )
    .select(['attempts.orderId', 'attempts.id', 'attempts.state', 'refunds.kind'])
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
    const isReversed = own.some(({ kind }) => kind === 'reversal');
    const isFull = own.some((row) => row.state === 'refunded');
    return [[id, isReversed ? 'reversed' : isFull ? 'full' : 'partial'] as const];
  });
  return new Map(found);
}

/**
 * Returns what is left of the totals of paid orders, by order id: less refunds, reversals and chargebacks of the payment that
 * paid each. Absent if all is left, or the order was never paid.
 */
export async function findRemainders(
  queries: Db,
  orders: readonly Pick<Order, 'id' | 'total' | 'paidAttemptId'>[],
): Promise<ReadonlyMap<string, Centavos>> {
  refuseTablePrefix(queries, 'orders.refunds');
  const attemptIds = orders.flatMap(({ paidAttemptId }) => paidAttemptId ?? []);
  if (attemptIds.length === 0) return new Map();
  const rows = await queries
    .selectFrom('attempts')
    .leftJoin('refunds', (join) =>
      join
        .onRef('refunds.orderId', '=', 'attempts.orderId')
        .onRef('refunds.attemptId', '=', 'attempts.id')
        .on('refunds.state', 'in', ['succeeded', 'recorded']),
    )
    .select((eb) => [
      'attempts.id',
      'attempts.state',
      eb.fn.sum<number | string | null>('refunds.amount').as('returned'),
    ])
    .where('attempts.id', 'in', attemptIds)
    .groupBy(['attempts.id', 'attempts.state'])
    .execute();
  const left = orders.flatMap(({ id, total, paidAttemptId }) => {
    const row = rows.find((each) => each.id === paidAttemptId);
    const returned = row?.state === 'refunded' ? total : Number(row?.returned ?? 0);
    return returned > 0 ? [[id, centavos(Math.max(0, total - returned))] as const] : [];
  });
  return new Map(left);
}

/** Stores a refund. The caller must hold the lock of its order. Throws on a unique key if another one is in flight. */
export function insertRefund(
  queries: Db,
  refund: Omit<Refund, 'inFlight' | 'gatewayRefundId' | 'gatewayStatus'>,
): Promise<Refund> {
  const row = { ...refund, inFlight: isInFlight(refund.state) ? 1 : null };
  return queries.insertInto('refunds').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Changes a refund. The caller must hold the lock of its order. */
export function updateRefund(
  queries: Db,
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

export function findRefund(queries: Db, id: string): Promise<Refund | undefined> {
  return queries.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns the refund in flight of the attempt with this gateway id, if the refund itself has no gateway id. */
export function findRefundInFlight(queries: Db, gatewayId: string): Promise<Refund | undefined> {
  return queries
    .selectFrom('attempts')
    .innerJoin('refunds', 'refunds.attemptId', 'attempts.id')
    .selectAll('refunds')
    .where('attempts.gatewayId', '=', gatewayId)
    .where('refunds.inFlight', '=', 1)
    .where('refunds.gatewayRefundId', 'is', null)
    .executeTakeFirst();
}

export function findRefundByGatewayId(queries: Db, id: string): Promise<Refund | undefined> {
  return queries.selectFrom('refunds').selectAll().where('gatewayRefundId', '=', id).executeTakeFirst();
}

/** Returns refunds whose lease expired before the gateway's response was stored. */
export function findRefundsWithExpiredLease(
  queries: Db,
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
