/** The back office's list of orders: filters and keyset pagination. */
import { type SelectQueryBuilder, sql } from 'kysely';
import type { FulfillmentFilter } from '../domain/fulfillment.js';
import type { OrderState } from '../domain/order.js';
import type { Queries } from './connection/database.js';
import { hasEmail, IN_REVIEW, type Order } from './orders.js';
import type { Schema } from './schema.js';

/** Absent filters match every order. Times are milliseconds since 1970, `until` is exclusive. */
export interface OrderFilter {
  readonly ids?: readonly string[];
  readonly email?: string;
  /** A prefix of first or last name, as `plainName` returns it, with `NAME_SEARCH_MIN` characters at least. */
  readonly name?: string;
  readonly state?: OrderState;
  readonly inReview?: true;
  /** Paid orders by their fulfillment. Their order and `from` and `until` refer to the time of confirmation. */
  readonly fulfillment?: FulfillmentFilter;
  readonly from?: number;
  readonly until?: number;
}

/** A position in the list, which is sorted newest first: after (older than) or before (newer than) an order. */
export interface OrderCursor {
  readonly side: 'after' | 'before';
  readonly order: Pick<Order, 'createdAt' | 'confirmedAt' | 'id'>;
}

/** Returns the orders of one page, newest first. */
export async function searchOrders(
  queries: Queries,
  { filter, cursor, limit }: { readonly filter: OrderFilter; readonly cursor?: OrderCursor; readonly limit: number },
): Promise<readonly Order[]> {
  const isBackward = cursor?.side === 'before';
  const direction = isBackward ? 'asc' : 'desc';
  const matching = filtered(queries.selectFrom('orders').selectAll('orders'), filter);
  const variants = filter.name === undefined ? [matching] : withName(matching, filter.name);
  const [time, id] = keyOf(filter);
  const pages = await Promise.all(
    variants.map((query) =>
      query
        .$if(cursor !== undefined, (each) => each.where(beyond(cursor, filter)))
        .orderBy(time, direction)
        .orderBy(id, direction)
        .limit(limit)
        .execute(),
    ),
  );
  const found = pages.length === 1 ? pages.flat() : merged(pages, filter, isBackward).slice(0, limit);
  return isBackward ? found.reverse() : found;
}

const KEY = [sql<number>`orders.created_at`, sql<string>`orders.id`] as const;
/** The columns of the index `fulfillments_by_state`. */
const FULFILLMENT_KEY = [sql<number>`fulfillments.at`, sql<string>`fulfillments.order_id`] as const;

function keyOf({ fulfillment }: OrderFilter) {
  return fulfillment === undefined ? KEY : FULFILLMENT_KEY;
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
function merged(pages: readonly (readonly Order[])[], filter: OrderFilter, isBackward: boolean): Order[] {
  const orders = [...new Map(pages.flat().map((order) => [order.id, order])).values()];
  const newestFirst = orders.sort((a, b) => timeOf(b, filter) - timeOf(a, filter) || (a.id < b.id ? 1 : -1));
  return isBackward ? newestFirst.reverse() : newestFirst;
}

function filtered(query: OrderQuery, filter: OrderFilter): OrderQuery {
  const { ids, email, name, state, inReview, fulfillment, from, until } = filter;
  let narrowed = fulfillment === undefined ? query : withFulfillment(query, fulfillment);
  if (ids !== undefined) narrowed = narrowed.where('orders.id', 'in', ids);
  if (email !== undefined) narrowed = narrowed.where(hasEmail(email));
  if (inReview) narrowed = narrowed.where(IN_REVIEW);
  const isAside = email !== undefined || name !== undefined || inReview === true || fulfillment !== undefined;
  // With a more selective filter, `state || ''` excludes the index on state, which would read all orders of one state.
  const column = isAside ? sql`orders.state || ''` : sql`orders.state`;
  if (state !== undefined) narrowed = narrowed.where(sql<boolean>`${column} = ${state}`);
  const [time] = keyOf(filter);
  if (from !== undefined) narrowed = narrowed.where(time, '>=', from);
  if (until !== undefined) narrowed = narrowed.where(time, '<', until);
  return narrowed;
}

function withFulfillment(query: OrderQuery, fulfillment: FulfillmentFilter): OrderQuery {
  const state = sql<boolean>`fulfillments.state = ${fulfillment}`;
  const joined = query.innerJoin('fulfillments', 'fulfillments.orderId', 'orders.id');
  return joined.where(fulfillment === 'to_ship' ? TO_SHIP : state);
}

/** Fulfillments in preparation that the order allows, see `isFulfillable`. */
export const TO_SHIP = sql<boolean>`fulfillments.state = 'preparing' and orders.review_reason is null
  and not exists (select 1 from attempts where attempts.id = orders.paid_attempt_id and attempts.state = 'refunded')
  and not exists (select 1 from refunds where refunds.attempt_id = orders.paid_attempt_id
    and (refunds.in_flight = 1 or refunds.kind = 'chargeback'))`;

/** The time by which the list is sorted. */
function timeOf({ createdAt, confirmedAt }: OrderCursor['order'], { fulfillment }: OrderFilter): number {
  return fulfillment ? (confirmedAt ?? createdAt) : createdAt;
}

function beyond(cursor: OrderCursor | undefined, filter: OrderFilter) {
  if (!cursor) return sql<boolean>`true`;
  const { id } = cursor.order;
  const key = sql.join(keyOf(filter));
  const time = timeOf(cursor.order, filter);
  return cursor.side === 'after'
    ? sql<boolean>`(${key}) < (${time}, ${id})`
    : sql<boolean>`(${key}) > (${time}, ${id})`;
}
