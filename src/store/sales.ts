/** What was sold and begun in a span of time; each statement reads a piece of one index and no row of a table. */
import { sql } from 'kysely';
import type { OrderState } from '../core/order.js';
import type { Queries } from './database.js';

/** Moments in milliseconds; `until` is not included. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** Below this, times to confirm are told apart by the second, above by the minute. */
const FINE_MS = 600_000;

/** Orders paid in a span that took about as long to confirm. */
export interface PaidGroup {
  /** From order to paid, in seconds, rounded down. */
  readonly seconds: number;
  readonly count: number;
  readonly total: number;
}

/** The orders that were paid in a span, quickest confirmation first. */
export async function paidIn(queries: Queries, { from, until }: Span): Promise<readonly PaidGroup[]> {
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
  // PostgreSQL hands a sum of large numbers out as text.
  return groups.map((group) => ({ ...group, total: Number(group.total) }));
}

/** How many orders that were placed in a span stand in each state now. */
export async function placedIn(
  queries: Queries,
  { from, until }: Span,
): Promise<ReadonlyMap<OrderState, number>> {
  const rows = await queries
    .selectFrom('orders')
    .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
    .where('createdAt', '>=', from)
    .where('createdAt', '<', until)
    .groupBy('state')
    .execute();
  return new Map(rows.map(({ state, count }) => [state, count]));
}
