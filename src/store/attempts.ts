import { type Insertable, type Selectable, sql } from 'kysely';
import {
  type AttemptState,
  LIVE_ATTEMPT_STATES,
  UNPAID_ENDS,
  WATCHED_ATTEMPT_STATES,
} from '../core/order.js';
import type { Queries } from './database.js';
import { isPostgres } from './dialects.js';
import { ATTEMPT_COLUMNS, type AttemptsTable } from './schema.js';

/** One try to pay an order, as it is kept. */
export type Attempt = Readonly<Selectable<AttemptsTable>>;

/** All attempts of an order, oldest first. */
export function findAttempts(queries: Queries, orderId: string): Promise<readonly Attempt[]> {
  return queries
    .selectFrom('attempts')
    .select(ATTEMPT_COLUMNS)
    .where('orderId', '=', orderId)
    .orderBy('ordinal')
    .execute();
}

/** The attempts of an order about which the service may still have news; `late` also those that had ended unpaid. */
export function findWatchedAttempts(
  queries: Queries,
  orderId: string,
  late = false,
): Promise<readonly Attempt[]> {
  return queries
    .selectFrom('attempts')
    .select(ATTEMPT_COLUMNS)
    .where('orderId', '=', orderId)
    .where('state', 'in', late ? [...WATCHED_ATTEMPT_STATES, ...UNPAID_ENDS] : WATCHED_ATTEMPT_STATES)
    .where('serviceId', 'is not', null)
    .orderBy('ordinal', 'desc')
    .execute();
}

export function findAttempt(queries: Queries, id: string): Promise<Attempt | undefined> {
  return queries.selectFrom('attempts').select(ATTEMPT_COLUMNS).where('id', '=', id).executeTakeFirst();
}

/** Writes the intent to pay, before any call; fails on a unique key when the order has a live attempt. */
export async function insertAttempt(
  queries: Queries,
  attempt: Omit<Insertable<AttemptsTable>, 'live'>,
): Promise<void> {
  await queries
    .insertInto('attempts')
    .values({ ...attempt, live: liveFlag(attempt.state) })
    .execute();
}

type AttemptPatch = Partial<
  Pick<AttemptsTable, 'serviceId' | 'redirectUrl' | 'nextCheckAt' | 'checks' | 'words'>
>;

/** Puts an attempt into a state; `live` follows from it. The order's lock guards against others. */
export async function putAttempt(
  queries: Queries,
  id: string,
  change: { readonly state: AttemptState; readonly at: number; readonly patch?: AttemptPatch },
): Promise<void> {
  await queries
    .updateTable('attempts')
    .set({ ...change.patch, state: change.state, live: liveFlag(change.state), updatedAt: change.at })
    .where('id', '=', id)
    .execute();
}

/**
 * Takes the turn to ask the service about an attempt. `false` when someone asked after `notSince` (milliseconds):
 * their answer is as good.
 */
export async function claimCheck(
  queries: Queries,
  id: string,
  turn: { readonly at: number; readonly notSince: number },
): Promise<boolean> {
  const result = await queries
    .updateTable('attempts')
    .set({ checkedAt: turn.at })
    .where('id', '=', id)
    // A time ahead of ours is a clock that was set back since: it must not silence us until then.
    .where((eb) => eb.or([eb('checkedAt', '<=', turn.notSince), eb('checkedAt', '>', turn.at)]))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

function liveFlag(state: AttemptState): 1 | null {
  return LIVE_ATTEMPT_STATES.includes(state) ? 1 : null;
}

/** The orders whose attempts the service knows under these ids. */
export async function findOrdersOfServiceIds(
  queries: Queries,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const rows = await queries
    .selectFrom('attempts')
    .select('orderId')
    .distinct()
    .where('serviceId', 'in', ids)
    .execute();
  return rows.map((row) => row.orderId);
}

type NamedAttempt = Pick<Attempt, 'orderId' | 'kind' | 'state' | 'serviceId' | 'claimedUntil'> & {
  readonly attemptId: string;
};

/** The attempts that were given these references. */
export async function findOrdersNamed(
  queries: Queries,
  references: readonly string[],
): Promise<readonly NamedAttempt[]> {
  if (references.length === 0) return [];
  return queries
    .selectFrom('attempts')
    .select(['orderId', 'id as attemptId', 'kind', 'state', 'serviceId', 'claimedUntil'])
    .where('reference', 'in', references)
    .execute();
}

/** Whether an attempt carries this id of the service already. */
export async function isServiceIdTaken(queries: Queries, serviceId: string): Promise<boolean> {
  const row = await queries
    .selectFrom('attempts')
    .select('id')
    .where('serviceId', '=', serviceId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes attempts that the worker should look at; nobody else gets them before `leaseUntil`. */
export async function claimDueAttempts(
  queries: Queries,
  claim: { readonly at: number; readonly leaseUntil: number; readonly most: number },
): Promise<readonly Attempt[]> {
  return queries
    .updateTable('attempts')
    .set({ nextCheckAt: claim.leaseUntil })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('attempts')
        .select('id')
        // The words of the partial index, so that both databases use it.
        .where(sql<boolean>`state in ('creating', 'open', 'superseded', 'held')`)
        .where('nextCheckAt', '<=', claim.at)
        .orderBy('nextCheckAt')
        .limit(claim.most)
        .$if(isPostgres(queries), (query) => query.forUpdate().skipLocked()),
    )
    .returning(ATTEMPT_COLUMNS)
    .execute();
}

/** When the worker looks at an attempt next. */
export async function scheduleCheck(
  queries: Queries,
  id: string,
  next: { readonly at: number; readonly checks: number },
): Promise<void> {
  await queries
    .updateTable('attempts')
    .set({ nextCheckAt: next.at, checks: next.checks })
    .where('id', '=', id)
    .execute();
}
