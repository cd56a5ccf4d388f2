/** The back office's list of orders: filters and keyset pagination. */

import { IN_REVIEW } from '@tianguis/payments/back-office';
import type { OrderState } from '@tianguis/payments/rules';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { type FulfillmentFilter, isInShop } from '../shop/rules/fulfillment.js';
import { NAME_SEARCH_MIN, nameTerms } from '../shop/rules/search-name.js';
import type { Db } from './database.js';
import { hasEmail, type Order } from './orders.js';
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
  /** Paid orders by their fulfillment. Those in the shop that must not be fulfilled are in no such list. Their order and `from` and `until` refer to the time of confirmation. */
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
  queries: Db,
  { filter, cursor, limit }: { readonly filter: OrderFilter; readonly cursor?: OrderCursor; readonly limit: number },
): Promise<readonly Order[]> {
  const isBackward = cursor?.side === 'before';
  const direction = isBackward ? 'asc' : 'desc';
  const matching = filtered(queries.selectFrom('orders').selectAll('orders'), filter);
  const terms = filter.name === undefined ? undefined : await rarestFirst(queries, nameTerms(filter.name));
  const parts = terms ? withName(matching, terms, filter) : [{ query: matching, key: keyOf(filter) }];
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
/** The columns of the indexes of names. */
const NAME_KEY: Key = [sql`names.created_at`, sql`names.order_id`];

function keyOf({ fulfillment }: OrderFilter): Key {
  return fulfillment === undefined ? KEY : FULFILLMENT_KEY;
}

type OrderQuery = SelectQueryBuilder<Schema, 'orders', Order>;

/** Where names are stored. Each has one index by its first three letters and time, and one by its first six. */
const NAMES = [
  sql`(select id as order_id, created_at, search_name as name from orders)`,
  sql`(select id as order_id, created_at, search_surname as name from orders)`,
  sql`(select order_id, created_at, name from order_names)`,
] as const;

/**
 * One query for each index of names. Each is in the order of the list. Names are read from the index alone, and the orders of
 * those that match from the table.
 */
function withName(
  query: OrderQuery,
  terms: readonly string[],
  { fulfillment }: OrderFilter,
): readonly { readonly query: OrderQuery; readonly key: Key }[] {
  const key = fulfillment === undefined ? NAME_KEY : FULFILLMENT_KEY;
  const isFirst = sql<boolean>`not exists (select 1 from order_names as earlier
    where earlier.order_id = names.order_id and earlier.name < names.name and ${hasTerms(sql`earlier.name`, terms)})`;
  return NAMES.map((names, index) => ({
    query: query
      .innerJoin(sql<{ orderId: string }>`${names}`.as('names'), 'names.orderId', 'orders.id')
      .where(hasTerms(sql`names.name`, terms))
      // An order has several further names.
      .$if(index === NAMES.length - 1, (further) => further.where(isFirst)) as unknown as OrderQuery,
    key,
  }));
}

/** The longest of several words are compared, each by at most this many names in each index. */
const [COMPARED_TERMS, COMPARED_NAMES] = [3, 1_000];

/** Returns the terms with the one first whose beginning the fewest names have. With one term it reads nothing. */
async function rarestFirst(queries: Db, terms: readonly string[]): Promise<readonly string[]> {
  const compared = terms.filter((term) => [...term].length >= NAME_SEARCH_MIN).slice(0, COMPARED_TERMS);
  if (compared.length < 2) return terms;
  const counts = compared.map((term, index) => {
    const inEach = NAMES.map(
      // In the order of the index, because SQLite would read the whole table for a common beginning.
      (names) => sql`(select count(*) from (select 1 from ${names} as names where ${startsAs(sql`names.name`, term)}
        order by names.created_at limit ${sql.lit(COMPARED_NAMES)}) as started)`,
    );
    return sql<number>`${sql.join(inEach, sql` + `)}`.as(`of${index}`);
  });
  const found = Object.values(await queries.selectNoFrom(counts).executeTakeFirstOrThrow());
  const rarest = compared[found.indexOf(Math.min(...found))];
  return terms.toSorted((one, other) => Number(other === rarest) - Number(one === rarest));
}

/** Compares the first letters with the text of an index, so that its names are read newest first. */
function startsAs(name: RawBuilder<unknown>, term: string) {
  const letters = sql.lit([...term].length < 6 ? NAME_SEARCH_MIN : 6);
  return sql`substr(${name}, 1, ${letters}) = substr(cast(${term} as text), 1, ${letters})`;
}

/**
 * Whether a name begins with the first term, and has a word that begins with each other term. `substr` does not depend on the
 * collation. Terms have no wildcards of `like`. PostgreSQL expects a third of the rows from `case … > 0`. From the conditions
 * themselves it expects so few that it would read and sort all of them.
 */
function hasTerms(name: RawBuilder<unknown>, [first = '', ...others]: readonly string[]) {
  const whole = sql`substr(${name}, 1, length(cast(${first} as text))) = ${first}`;
  const words = others.map((term) => sql`' ' || ${name} like ${`% ${term}%`}`);
  return sql<boolean>`(${startsAs(name, first)} and case when ${sql.join([whole, ...words], sql` and `)} then 1 else 0 end > 0)`;
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
  const joined = query.innerJoin('fulfillments', 'fulfillments.orderId', 'orders.id');
  if (fulfillment === 'to_ship') return joined.where(TO_SHIP);
  const inState = joined.where(sql<boolean>`fulfillments.state = ${fulfillment}`);
  return isInShop(fulfillment) ? inState.where(FULFILLABLE) : inState;
}

/** Fulfillments that the order allows, see `isFulfillable`. */
export const FULFILLABLE = sql<boolean>`orders.review_reason is null
  and not exists (select 1 from attempts where attempts.id = orders.paid_attempt_id and attempts.state = 'refunded')
  and not exists (select 1 from refunds where refunds.attempt_id = orders.paid_attempt_id
    and (refunds.in_flight = 1 or refunds.kind = 'chargeback'))`;

export const TO_SHIP = sql<boolean>`fulfillments.state = 'preparing' and ${FULFILLABLE}`;

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
