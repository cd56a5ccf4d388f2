/** The back office's list of orders: filters and keyset pagination. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { FulfillmentFilter } from '../domain/fulfillment.js';
import type { OrderState } from '../domain/order.js';
import { nameTerms } from '../domain/search-name.js';
import type { Queries } from './connection/database.js';
import { hasEmail, IN_REVIEW, type Order } from './orders.js';
import type { Schema } from './schema.js';

/** Absent filters match every order. Times are milliseconds since 1970, `until` is exclusive. */
export interface OrderFilter {
  readonly ids?: readonly string[];
  readonly email?: string;
  /** Beginnings of words of the name, as `plainName` returns it, with `NAME_SEARCH_MIN` characters at least. */
  readonly name?: string;
  /** As stored. */
  readonly phone?: string;
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
  const parts = filter.name === undefined ? [{ query: matching, key: keyOf(filter) }] : withName(matching, filter);
  const { from, until } = filter;
  const pages = await Promise.all(
    parts.map(({ query, key: [time, id] }) =>
      query
        .$if(from !== undefined, (each) => each.where(time, '>=', from ?? 0))
        .$if(until !== undefined, (each) => each.where(time, '<', until ?? 0))
        .$if(cursor !== undefined, (each) => each.where(beyond(cursor, filter, [time, id])))
        .orderBy(time, direction)
        .orderBy(id, direction)
        .limit(limit)
        .execute(),
    ),
  );
  const found = pages.length === 1 ? pages.flat() : merged(pages, filter, isBackward).slice(0, limit);
  return isBackward ? found.reverse() : found;
}

/** The columns by which a query reads its index: time and order. */
type Key = readonly [time: RawBuilder<number>, id: RawBuilder<string>];

const KEY: Key = [sql`orders.created_at`, sql`orders.id`];
/** The columns of the index `fulfillments_by_state`. */
const FULFILLMENT_KEY: Key = [sql`fulfillments.at`, sql`fulfillments.order_id`];
/** The columns of the index `order_names_by_start`. */
const NAME_KEY: Key = [sql`order_names.created_at`, sql`order_names.order_id`];

function keyOf({ fulfillment }: OrderFilter): Key {
  return fulfillment === undefined ? KEY : FULFILLMENT_KEY;
}

type OrderQuery = SelectQueryBuilder<Schema, 'orders', Order>;

/** One query for each index of names. Each is in the order of the list. */
function withName(
  query: OrderQuery,
  { name = '', fulfillment }: OrderFilter,
): readonly { readonly query: OrderQuery; readonly key: Key }[] {
  const terms = nameTerms(name);
  const key = keyOf({ fulfillment });
  const isFirst = sql<boolean>`not exists (select 1 from order_names as earlier
    where earlier.order_id = order_names.order_id and earlier.name < order_names.name
    and ${hasTerms(sql`earlier.name`, terms)})`;
  const further = query
    .innerJoin('orderNames', 'orderNames.orderId', 'orders.id')
    .where(hasTerms(sql`order_names.name`, terms))
    .where(isFirst);
  return [
    { query: query.where(hasTerms(sql`orders.search_name`, terms)), key },
    { query: query.where(hasTerms(sql`orders.search_surname`, terms)), key },
    { query: further as unknown as OrderQuery, key: fulfillment === undefined ? NAME_KEY : key },
  ];
}

/**
 * Whether a name begins with the first term, and has a word that begins with each other term. The first three letters have
 * the same text as in the indexes, so that rows are read newest first. `substr` does not depend on the collation. Terms have
 * no wildcards of `like`.
 */
function hasTerms(name: RawBuilder<unknown>, [first = '', ...others]: readonly string[]) {
  const start = sql`substr(${name}, 1, 3) = substr(cast(${first} as text), 1, 3)`;
  const whole = sql`substr(${name}, 1, length(cast(${first} as text))) = ${first}`;
  const words = others.map((term) => sql`' ' || ${name} like ${`% ${term}%`}`);
  return sql<boolean>`(${sql.join([start, whole, ...words], sql` and `)})`;
}

/** Merges pages that may share orders, in the order of the list. */
function merged(pages: readonly (readonly Order[])[], filter: OrderFilter, isBackward: boolean): Order[] {
  const orders = [...new Map(pages.flat().map((order) => [order.id, order])).values()];
  const newestFirst = orders.sort((a, b) => timeOf(b, filter) - timeOf(a, filter) || (a.id < b.id ? 1 : -1));
  return isBackward ? newestFirst.reverse() : newestFirst;
}

function filtered(query: OrderQuery, filter: OrderFilter): OrderQuery {
  const { ids, email, name, phone, state, inReview, fulfillment } = filter;
  let narrowed = fulfillment === undefined ? query : withFulfillment(query, fulfillment);
  if (ids !== undefined) narrowed = narrowed.where('orders.id', 'in', ids);
  if (email !== undefined) narrowed = narrowed.where(hasEmail(email));
  // `phone <> ''` is the condition of the index.
  if (phone !== undefined) narrowed = narrowed.where(sql<boolean>`orders.phone = ${phone} and orders.phone <> ''`);
  if (inReview) narrowed = narrowed.where(IN_REVIEW);
  const isAside =
    email !== undefined || name !== undefined || phone !== undefined || inReview === true || fulfillment !== undefined;
  // With a more selective filter, `state || ''` excludes the index on state, which would read all orders of one state.
  const column = isAside ? sql`orders.state || ''` : sql`orders.state`;
  if (state !== undefined) narrowed = narrowed.where(sql<boolean>`${column} = ${state}`);
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

function beyond(cursor: OrderCursor | undefined, filter: OrderFilter, columns: Key) {
  if (!cursor) return sql<boolean>`true`;
  const { id } = cursor.order;
  const key = sql.join(columns);
  const time = timeOf(cursor.order, filter);
  return cursor.side === 'after'
    ? sql<boolean>`(${key}) < (${time}, ${id})`
    : sql<boolean>`(${key}) > (${time}, ${id})`;
}
