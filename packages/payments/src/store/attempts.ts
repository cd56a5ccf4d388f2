import { type Insertable, sql } from 'kysely';
import { compileOnce } from '../database/compile-once.js';
import type { Lease } from '../database/database.js';
import { isPostgres } from '../database/dialects.js';
import { refuseTablePrefix } from '../database/table-prefix.js';
import { type Attempt, hasGatewayId, type WatchedAttempt } from '../rules/attempt.js';
import {
  type AttemptFlow,
  type AttemptState,
  LIVE_ATTEMPT_STATES,
  LOOKED_UP_STATES,
  UNPAID_ENDS,
} from '../rules/order.js';
import type { Db } from './database.js';

/**
 * The two queues of the worker's lookups. `live`: attempts that a customer may be paying; `creating` only to end an expired
 * lease. `watched`: attempts on which a payment may arrive late. Same text as in the partial indexes, so that both databases
 * use them.
 */
export const LOOKUP_QUEUES = {
  live: sql<boolean>`state in ('creating', 'open')`,
  watched: sql<boolean>`state in ('superseded', 'review')`,
} as const;
export type LookupQueue = keyof typeof LOOKUP_QUEUES;

/** Returns all attempts of an order, oldest first. */
export function findAttempts(queries: Db, orderId: string): Promise<readonly Attempt[]> {
  refuseTablePrefix(queries, 'orders.attempts');
  return queries.selectFrom('attempts').selectAll().where('orderId', '=', orderId).orderBy('ordinal').execute();
}

const linkedAttempts = compileOnce((queries: Db, { orderId }: { readonly orderId: string }) => {
  const attempts = queries.selectFrom('attempts').selectAll('attempts');
  // A union of two index lookups. For an `or`, PostgreSQL may scan the whole table.
  return attempts
    .where('orderId', '=', orderId)
    .unionAll(attempts.innerJoin('orders', 'orders.id', 'attempts.orderId').where('orders.supersededBy', '=', orderId))
    .orderBy('ordinal');
});

/** Returns all attempts of an order, oldest first, and whether an order that it replaced has one. In one statement. */
export async function findLinkedAttempts(
  queries: Db,
  orderId: string,
): Promise<{ readonly attempts: readonly Attempt[]; readonly hasReplaced: boolean }> {
  const found = await linkedAttempts(queries, { orderId });
  const own = found.filter((attempt) => attempt.orderId === orderId);
  return { attempts: own, hasReplaced: own.length < found.length };
}

/** Returns the attempts of these orders by order id, each list oldest first. */
export async function findAttemptsOfOrders(
  queries: Db,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Attempt[]>> {
  refuseTablePrefix(queries, 'orders.attempts');
  const attempts = queries.selectFrom('attempts').selectAll().where('orderId', 'in', orderIds);
  const byOrder = new Map<string, Attempt[]>();
  for (const attempt of await attempts.orderBy('orderId').orderBy('ordinal').execute())
    byOrder.set(attempt.orderId, [...(byOrder.get(attempt.orderId) ?? []), attempt]);
  return byOrder;
}

/** What names an attempt at the gateway and in its dashboard. */
export type PaymentIds = Pick<
  Attempt,
  'flow' | 'method' | 'reference' | 'gatewayId' | 'transactionId' | 'paymentId' | 'provider'
>;

/**
 * Returns the attempts of an order that have a gateway id and whose gateway payment may still change, newest first.
 * With `includesEnded`, attempts that ended unpaid are included.
 */
export async function findWatchedAttempts(
  queries: Db,
  orderId: string,
  includesEnded = false,
): Promise<readonly WatchedAttempt[]> {
  const states = includesEnded ? [...LOOKED_UP_STATES, ...UNPAID_ENDS] : LOOKED_UP_STATES;
  const attempts = await findAttempts(queries, orderId);
  return attempts
    .filter(hasGatewayId)
    .filter(({ state }) => states.includes(state))
    .reverse();
}

export function findAttempt(queries: Db, id: string): Promise<Attempt | undefined> {
  refuseTablePrefix(queries, 'orders.attempts');
  return queries.selectFrom('attempts').selectAll().where('id', '=', id).executeTakeFirst();
}

const attemptAndConflict = compileOnce(
  (queries: Db, { id, gatewayId }: { readonly id: string; readonly gatewayId: string }) => {
    const attempts = queries.selectFrom('attempts').selectAll();
    // A union of two index lookups. For an `or`, PostgreSQL may scan the whole table.
    return attempts.where('id', '=', id).unionAll(attempts.where('gatewayId', '=', gatewayId).where('id', '<>', id));
  },
);

/** Returns an attempt, and whether another attempt has this gateway id. */
export async function findAttemptAndConflict(
  queries: Db,
  id: string,
  gatewayId: string | undefined,
): Promise<{ readonly attempt: Attempt | undefined; readonly isTaken: boolean }> {
  if (gatewayId === undefined) return { attempt: await findAttempt(queries, id), isTaken: false };
  const found = await attemptAndConflict(queries, { id, gatewayId });
  return {
    attempt: found.find((attempt) => attempt.id === id),
    isTaken: found.some((attempt) => attempt.id !== id),
  };
}

/** Stores an attempt before the gateway is called. Throws on a unique key when the order has a live attempt. */
export async function insertAttempt<Flow extends AttemptFlow>(
  queries: Db,
  attempt: Omit<Insertable<Attempt>, 'live'> & { readonly flow: Flow },
): Promise<Attempt & { readonly flow: Flow }> {
  const row = { ...attempt, live: liveFlag(attempt.state) };
  const inserted = await queries.insertInto('attempts').values(row).returningAll().executeTakeFirstOrThrow();
  return { ...inserted, flow: attempt.flow };
}

export type AttemptPatch = Partial<
  Pick<
    Attempt,
    | 'confirmedAmount'
    | 'gatewayId'
    | 'idSource'
    | 'transactionId'
    | 'paymentId'
    | 'provider'
    | 'redirectUrl'
    | 'offerEndsAt'
    | 'nextCheckAt'
    | 'checks'
    | 'gatewayStatus'
    | 'foundAt'
    | 'notFoundAt'
    | 'neverCompletedAt'
    | 'abandonedAt'
    | 'method'
    | 'note'
  >
>;

/** Sets the state of an attempt and its `live` flag. The caller must hold the lock of its order. */
export async function putAttempt(
  queries: Db,
  id: string,
  change: { readonly state: AttemptState; readonly at: number; readonly patch?: AttemptPatch | undefined },
): Promise<void> {
  const { patch, state, at } = change;
  await queries
    .updateTable('attempts')
    .set({ ...patch, state, live: liveFlag(state), updatedAt: at })
    .where('id', '=', id)
    .execute();
}

/**
 * Reserves the next lookup of an attempt for the caller. Returns `false` when another caller reserved one after `notSince`
 * (milliseconds since 1970), and when the attempt is paid or refunded.
 */
export async function acquireLookup(
  queries: Db,
  id: string,
  { at, notSince }: { readonly at: number; readonly notSince: number },
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('attempts')
    .set({ checkedAt: at })
    .where('id', '=', id)
    // These states need no further lookup.
    .where('state', 'not in', ['paid', 'refunded'])
    // A `checkedAt` in the future means that the clock was set back. It must not delay lookups.
    .where((eb) => eb.or([eb('checkedAt', '<=', notSince), eb('checkedAt', '>', at)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Gives a lookup back that {@link acquireLookup} reserved `at` this time, and that was not made. */
export async function releaseLookup(
  queries: Db,
  { id, checkedAt }: Pick<Attempt, 'id' | 'checkedAt'>,
  at: number,
): Promise<void> {
  await queries.updateTable('attempts').set({ checkedAt }).where('id', '=', id).where('checkedAt', '=', at).execute();
}

function liveFlag(state: AttemptState): 1 | null {
  return LIVE_ATTEMPT_STATES.includes(state) ? 1 : null;
}

export async function findOrderIdsByGatewayId(queries: Db, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const rows = await queries
    .selectFrom('attempts')
    .select('orderId')
    .distinct()
    .where('gatewayId', 'in', ids)
    .execute();
  return rows.map((row) => row.orderId);
}

/** Returns the ids of the orders with an attempt that the gateway knows by this id, transaction number or payment number. */
export async function findOrderIdsByGatewayNumber(
  queries: Db,
  number: string,
  limit: number,
): Promise<readonly string[]> {
  refuseTablePrefix(queries);
  const attempts = queries.selectFrom('attempts').select('orderId');
  // A union of index lookups. For an `or`, PostgreSQL may scan the whole table.
  const rows = await attempts
    .where('gatewayId', '=', number)
    .union(attempts.where('transactionId', '=', number))
    .union(attempts.where('paymentId', '=', number))
    .limit(limit)
    .execute();
  return rows.map((row) => row.orderId);
}

/** Returns the attempts with these references, and all attempts of orders with these numbers. */
export async function findAttemptsByReference(queries: Db, references: readonly string[]) {
  if (references.length === 0) return [];
  const columns = [
    'orderId',
    'attempts.id as attemptId',
    'flow',
    'attempts.state',
    'gatewayId',
    'leasedUntil',
  ] as const;
  // A union of index lookups. For an `or` over two tables, PostgreSQL may scan one of them.
  return queries
    .selectFrom('attempts')
    .select(columns)
    .where('reference', 'in', references)
    .union(
      queries
        .selectFrom('orders')
        .innerJoin('attempts', 'attempts.orderId', 'orders.id')
        .select(columns)
        .where('orders.number', 'in', references),
    )
    .execute();
}

/** Stores since when the gateway does not know the id of an attempt. A later answer with the payment clears it. */
export async function markNotFound(queries: Db, id: string, at: number): Promise<void> {
  await queries
    .updateTable('attempts')
    .set({ notFoundAt: at })
    .where('id', '=', id)
    .where('notFoundAt', 'is', null)
    .execute();
}

/** Stores the fingerprint of the API key with which a lookup of the attempt agreed. */
export async function putKeyFingerprint(queries: Db, id: string, keyFingerprint: string): Promise<void> {
  await queries.updateTable('attempts').set({ keyFingerprint }).where('id', '=', id).execute();
}

/** Stores the first return of a browser on the open card attempts of an order. */
export async function markReturned(queries: Db, orderId: string, at: number): Promise<void> {
  await queries
    .updateTable('attempts')
    .set({ returnedAt: at })
    .where('orderId', '=', orderId)
    .where('flow', '=', 'card')
    .where('state', '=', 'open')
    .where('returnedAt', 'is', null)
    .execute();
}

/** Makes the open and superseded attempts of an order due for the worker now. */
export async function makeAttemptsDue(queries: Db, orderId: string, at: number): Promise<void> {
  await queries
    .updateTable('attempts')
    .set({ nextCheckAt: at })
    .where('orderId', '=', orderId)
    .where('state', 'in', ['open', 'superseded'])
    .where('nextCheckAt', '>', at)
    .execute();
}

/** Makes all live attempts due for the worker now. */
export async function makeLiveAttemptsDue(queries: Db, at: number): Promise<void> {
  await queries
    .updateTable('attempts')
    .set({ nextCheckAt: at })
    .where(LOOKUP_QUEUES.live)
    .where('nextCheckAt', '>', at)
    .execute();
}

/** Makes attempts of this gateway environment due that were delayed until after `after`. */
export async function resumeLookups(
  queries: Db,
  { environment, at, after }: { readonly environment: string; readonly at: number; readonly after: number },
): Promise<void> {
  await queries
    .updateTable('attempts')
    .set({ nextCheckAt: at })
    .where('environment', '=', environment)
    .where('state', 'in', ['open', 'superseded'])
    .where('nextCheckAt', '>', after)
    .execute();
}

export function leaseDueAttempts(queries: Db, queue: LookupQueue, lease: Lease): Promise<readonly Attempt[]> {
  return queries
    .updateTable('attempts')
    .set({ nextCheckAt: lease.leaseUntil })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('attempts')
        .select('id')
        .where(LOOKUP_QUEUES[queue])
        .where('nextCheckAt', '<=', lease.at)
        .orderBy('nextCheckAt')
        .limit(lease.limit)
        .$if(isPostgres(queries), (query) => query.forUpdate().skipLocked()),
    )
    .returningAll()
    .execute();
}

export async function scheduleCheck(
  queries: Db,
  id: string,
  next: Pick<Attempt, 'nextCheckAt' | 'checks'>,
): Promise<void> {
  await queries.updateTable('attempts').set(next).where('id', '=', id).execute();
}

/** Removes the notes about payments past the gateway, which may hold personal data. The orders must be locked. */
export async function eraseNotes(queries: Db, orderIds: readonly string[]): Promise<void> {
  refuseTablePrefix(queries);
  await queries
    .updateTable('attempts')
    .set({ note: null })
    .where('orderId', 'in', orderIds)
    .where('note', 'is not', null)
    .execute();
}
