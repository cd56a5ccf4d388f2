/** The back office's list of orders: filters and keyset pagination. */
import { type SelectQueryBuilder, sql } from 'kysely';
import type { OrderState } from '../domain/order.js';
import type { Queries } from './database.js';
import type { Order } from './orders.js';
import type { Schema } from './schema.js';

/** Absent filters match every order. Times are milliseconds since 1970, `until` is exclusive. */
export interface OrderFilter {
  readonly email?: string;
  readonly state?: OrderState;
  readonly inReview?: true;
  readonly from?: number;
  readonly until?: number;
}

/** A position in the list, which is sorted newest first: after (older than) or before (newer than) an order. */
export interface OrderCursor {
  readonly side: 'after' | 'before';
  readonly order: Pick<Order, 'createdAt' | 'id'>;
}

export interface OrderSearch {
  readonly filter: OrderFilter;
  readonly cursor?: OrderCursor;
  readonly most: number;
}

/** Returns the orders of one page, newest first. */
export async function searchOrders(
  queries: Queries,
  { filter, cursor, most }: OrderSearch,
): Promise<readonly Order[]> {
  const direction = cursor?.side === 'before' ? 'asc' : 'desc';
  const found = await filtered(queries.selectFrom('orders').selectAll(), filter)
    .$if(cursor !== undefined, (query) => query.where(beyond(cursor)))
    .orderBy('createdAt', direction)
    .orderBy('id', direction)
    .limit(most)
    .execute();
  return cursor?.side === 'before' ? found.reverse() : found;
}

type OrderQuery = SelectQueryBuilder<Schema, 'orders', Order>;

function filtered(query: OrderQuery, { email, state, inReview, from, until }: OrderFilter): OrderQuery {
  let narrowed = query;
  if (email !== undefined)
    narrowed = narrowed.where(sql<boolean>`lower(email) = lower(cast(${email} as text))`);
  if (inReview) narrowed = narrowed.where(IN_REVIEW);
  if (state !== undefined)
    narrowed = narrowed.where(inState(state, email !== undefined || inReview === true));
  if (from !== undefined) narrowed = narrowed.where('createdAt', '>=', from);
  if (until !== undefined) narrowed = narrowed.where('createdAt', '<', until);
  return narrowed;
}

/** Same text as in the partial indexes, so that both databases use them. */
const IN_REVIEW = sql<boolean>`(review_reason is not null or state = 'outcome_unknown')`;

/** With a more selective filter, `state || ''` excludes the index on state, which would read all orders of one state. */
function inState(state: OrderState, isAside: boolean) {
  return isAside ? sql<boolean>`state || '' = ${state}` : sql<boolean>`state = ${state}`;
}

function beyond(cursor: OrderCursor | undefined) {
  if (!cursor) return sql<boolean>`true`;
  const { createdAt, id } = cursor.order;
  return cursor.side === 'after'
    ? sql<boolean>`(created_at, id) < (${createdAt}, ${id})`
    : sql<boolean>`(created_at, id) > (${createdAt}, ${id})`;
}
