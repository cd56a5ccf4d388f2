/** The back office's list of orders: filters and keyset pagination. */
import { type SelectQueryBuilder, sql } from 'kysely';
import type { OrderState } from '../domain/order.js';
import type { Queries } from './database.js';
import type { Order } from './orders.js';
import type { Schema } from './schema.js';

/** Absent filters match every order. Times are milliseconds since 1970, `until` is exclusive. */
export interface OrderFilter {
  readonly email?: string;
  /** A prefix of first or last name, as `plainName` returns it, with `NAME_SEARCH_MIN` characters at least. */
  readonly name?: string;
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
  const isBackward = cursor?.side === 'before';
  const direction = isBackward ? 'asc' : 'desc';
  const matching = filtered(queries.selectFrom('orders').selectAll(), filter);
  const variants = filter.name === undefined ? [matching] : withName(matching, filter.name);
  const pages = await Promise.all(
    variants.map((query) =>
      query
        .$if(cursor !== undefined, (each) => each.where(beyond(cursor)))
        .orderBy('createdAt', direction)
        .orderBy('id', direction)
        .limit(most)
        .execute(),
    ),
  );
  const found = pages.length === 1 ? pages.flat() : merged(pages, isBackward).slice(0, most);
  return isBackward ? found.reverse() : found;
}

type OrderQuery = SelectQueryBuilder<Schema, 'orders', Order>;

/**
 * One query for each index of names. The first three letters have the same text as in the indexes, so that rows are
 * read newest first. `substr` has no wildcards and does not depend on the collation.
 */
function withName(query: OrderQuery, name: string): readonly OrderQuery[] {
  return (['search_name', 'search_surname'] as const).map((column) => {
    const start = sql`substr(${sql.ref(column)}, 1, 3) = substr(cast(${name} as text), 1, 3)`;
    const whole = sql`substr(${sql.ref(column)}, 1, length(cast(${name} as text))) = ${name}`;
    return query.where(sql<boolean>`${start} and ${whole}`);
  });
}

/** Merges pages that may share orders, in the order of the list. */
function merged(pages: readonly (readonly Order[])[], isBackward: boolean): Order[] {
  const orders = [...new Map(pages.flat().map((order) => [order.id, order])).values()];
  const newestFirst = orders.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  return isBackward ? newestFirst.reverse() : newestFirst;
}

function filtered(query: OrderQuery, { email, name, state, inReview, from, until }: OrderFilter): OrderQuery {
  let narrowed = query;
  if (email !== undefined)
    narrowed = narrowed.where(sql<boolean>`lower(email) = lower(cast(${email} as text))`);
  if (inReview) narrowed = narrowed.where(IN_REVIEW);
  if (state !== undefined)
    narrowed = narrowed.where(inState(state, email !== undefined || name !== undefined || inReview === true));
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
