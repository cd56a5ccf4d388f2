/** Sales figures of a time span. Each query reads a range of one covering index. */

import type { OrderState } from '@tianguis/payments/rules';
import { sql } from 'kysely';
import type { Db } from '../../tables/database.js';

/** Times in milliseconds since 1970. `until` is exclusive. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** Times to pay are grouped by second below 10 minutes, and by minute above. */
const FINE_MS = 600_000;

export interface PaidGroup {
  /** From placement to payment, in seconds, rounded down. */
  readonly seconds: number;
  readonly count: number;
  readonly total: number;
}

/** Returns the orders paid in a span, shortest time to pay first. */
export async function paidIn(queries: Db, { from, until }: Span): Promise<readonly PaidGroup[]> {
  const took = sql`(paid_at - created_at)`;
  const seconds = sql<number>`case when ${took} < ${sql.lit(FINE_MS)} then ${took} / 1000 else ${took} / 60000 * 60 end`;
  const groups = await queries
    .selectFrom('orders')
    .select([seconds.as('seconds'), (eb) => eb.fn.countAll<number>().as('count')])
    .select((eb) => eb.fn.sum<number | string>('total').as('total'))
    .where('paidAt', '>=', from)
    .where('paidAt', '<', until)
    .groupBy(seconds)
    .orderBy(seconds)
    .execute();
  // PostgreSQL returns a sum of `bigint` as text.
  return groups.map((group) => ({ ...group, total: Number(group.total) }));
}

/** Counts the orders placed in a span by their current state. */
export async function placedIn(queries: Db, { from, until }: Span): Promise<ReadonlyMap<OrderState, number>> {
  const rows = await queries
    .selectFrom('orders')
    .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
    .where('createdAt', '>=', from)
    .where('createdAt', '<', until)
    .groupBy('state')
    .execute();
  return new Map(rows.map(({ state, count }) => [state, count]));
}

/**
 * Returns the money of paid orders that left again, by its day in Mexico City: refunds and chargebacks. Money of second
 * payments is in no sales figure, so their refunds are not included.
 */
export async function refundedByDay(
  queries: Db,
  days: { readonly from: string; readonly until: string },
): Promise<ReadonlyMap<string, number>> {
  const rows = await queries
    .selectFrom('refunds')
    .innerJoin('orders', (join) =>
      join.onRef('orders.id', '=', 'refunds.orderId').onRef('orders.paidAttemptId', '=', 'refunds.attemptId'),
    )
    .select((eb) => ['refundedOn', eb.fn.sum<number | string>('amount').as('total')])
    .where('refundedOn', '>=', days.from)
    .where('refundedOn', '<', days.until)
    .groupBy('refundedOn')
    .execute();
  return new Map(rows.map(({ refundedOn, total }) => [refundedOn ?? '', Number(total)]));
}

/** Returns the sum of the orders paid in a span past the gateway, before refunds. */
export async function outsideIn(queries: Db, { from, until }: Span): Promise<number> {
  const { total } = await queries
    .selectFrom('attempts')
    .innerJoin('orders', 'orders.paidAttemptId', 'attempts.id')
    .select((eb) => eb.fn.sum<number | string | null>('orders.total').as('total'))
    .where('attempts.flow', '=', 'outside')
    .where('orders.paidAt', '>=', from)
    .where('orders.paidAt', '<', until)
    .executeTakeFirstOrThrow();
  return Number(total ?? 0);
}

export interface SoldProduct {
  readonly productId: string;
  readonly pieces: number;
  /** After the discount. */
  readonly total: number;
}

/** Returns the lines of the orders paid in a span, added up by product. Fees are included. */
export async function soldIn(queries: Db, { from, until }: Span): Promise<readonly SoldProduct[]> {
  const rows = await queries
    .selectFrom('orders')
    .innerJoin('orderLines', 'orderLines.orderId', 'orders.id')
    .select(['productId', (eb) => eb.fn.sum<number | string>('quantity').as('pieces')])
    .select(sql<number | string>`sum(unit_price * quantity - discount)`.as('total'))
    .where('paidAt', '>=', from)
    .where('paidAt', '<', until)
    .groupBy('productId')
    .execute();
  return rows.map(({ productId, pieces, total }) => ({ productId, pieces: Number(pieces), total: Number(total) }));
}
