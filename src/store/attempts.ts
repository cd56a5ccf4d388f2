import { type Selectable, sql } from 'kysely';
import {
  type AttemptState,
  LIVE_ATTEMPT_STATES,
  UNPAID_ENDS,
  WATCHED_ATTEMPT_STATES,
} from '../core/order.js';
import type { Queries } from './database.js';
import { isPostgres } from './dialects.js';
import { ATTEMPT_COLUMNS, type AttemptsTable } from './schema.js';
import { type Given, statement } from './statement.js';

/** One try to pay an order, as it is kept. */
export type Attempt = Readonly<Selectable<AttemptsTable>>;

const selectOfOrder = statement((queries, { orderId }: Given<{ orderId: string }>) =>
  queries.selectFrom('attempts').select(ATTEMPT_COLUMNS).where('orderId', '=', orderId).orderBy('ordinal'),
);

/** All attempts of an order, oldest first. */
export function findAttempts(queries: Queries, orderId: string): Promise<readonly Attempt[]> {
  return selectOfOrder.all(queries, { orderId });
}

const selectWatched = (states: readonly AttemptState[]) =>
  statement((queries, { orderId }: Given<{ orderId: string }>) =>
    queries
      .selectFrom('attempts')
      .select(ATTEMPT_COLUMNS)
      .where('orderId', '=', orderId)
      .where('state', 'in', states)
      .where('serviceId', 'is not', null)
      .orderBy('ordinal', 'desc'),
  );
const selectTimely = selectWatched(WATCHED_ATTEMPT_STATES);
const selectLate = selectWatched([...WATCHED_ATTEMPT_STATES, ...UNPAID_ENDS]);

/** The attempts of an order about which the service may still have news; `late` also those that had ended unpaid. */
export function findWatchedAttempts(
  queries: Queries,
  orderId: string,
  late = false,
): Promise<readonly Attempt[]> {
  return (late ? selectLate : selectTimely).all(queries, { orderId });
}

const select = statement((queries, { id }: Given<{ id: string }>) =>
  queries.selectFrom('attempts').select(ATTEMPT_COLUMNS).where('id', '=', id),
);

export function findAttempt(queries: Queries, id: string): Promise<Attempt | undefined> {
  return select.first(queries, { id });
}

const selectWithHolder = statement((queries, { id, serviceId }: Given<{ id: string; serviceId: string }>) => {
  // Two looks into one index each: with an `or`, PostgreSQL would have to weigh reading the whole table.
  const attempts = queries.selectFrom('attempts').select(ATTEMPT_COLUMNS);
  const holder = attempts.where('serviceId', '=', serviceId).where('id', '<>', id);
  return attempts.where('id', '=', id).unionAll(holder);
});

/** An attempt, and whether another one carries this id of the service. */
export async function findAttemptAndHolder(
  queries: Queries,
  id: string,
  serviceId: string | undefined,
): Promise<{ readonly attempt: Attempt | undefined; readonly isTaken: boolean }> {
  if (serviceId === undefined) return { attempt: await findAttempt(queries, id), isTaken: false };
  const found = await selectWithHolder.all(queries, { id, serviceId });
  return {
    attempt: found.find((attempt) => attempt.id === id),
    isTaken: found.some((attempt) => attempt.id !== id),
  };
}

const insert = statement((queries, attempt: Given<Attempt>) =>
  queries.insertInto('attempts').values(attempt),
);

/** Writes the intent to pay, before any call; fails on a unique key when the order has a live attempt. */
export async function insertAttempt(queries: Queries, attempt: Omit<Attempt, 'live'>): Promise<void> {
  await insert.run(queries, { ...attempt, live: liveFlag(attempt.state) });
}

type AttemptPatch = Partial<
  Pick<AttemptsTable, 'serviceId' | 'redirectUrl' | 'nextCheckAt' | 'checks' | 'words'>
>;

interface AttemptChanges extends AttemptPatch {
  readonly state: AttemptState;
  readonly live: 1 | null;
  readonly updatedAt: number;
}

const update = statement((queries, { id, changes }: Given<{ id: string; changes: AttemptChanges }>) =>
  queries.updateTable('attempts').set(changes).where('id', '=', id),
);

/** Puts an attempt into a state; `live` follows from it. The order's lock guards against others. */
export async function putAttempt(
  queries: Queries,
  id: string,
  change: { readonly state: AttemptState; readonly at: number; readonly patch?: AttemptPatch },
): Promise<void> {
  const { patch, state, at } = change;
  await update.run(queries, { id, changes: { ...patch, state, live: liveFlag(state), updatedAt: at } });
}

interface Turn {
  readonly at: number;
  readonly notSince: number;
}

const takeTurn = statement((queries, { id, at, notSince }: Given<Turn & { id: string }>) =>
  queries
    .updateTable('attempts')
    .set({ checkedAt: at })
    .where('id', '=', id)
    // A time ahead of ours is a clock that was set back since: it must not silence us until then.
    .where((eb) => eb.or([eb('checkedAt', '<=', notSince), eb('checkedAt', '>', at)])),
);

/**
 * Takes the turn to ask the service about an attempt. `false` when someone asked after `notSince` (milliseconds):
 * their answer is as good.
 */
export async function claimCheck(queries: Queries, id: string, turn: Turn): Promise<boolean> {
  return (await takeTurn.run(queries, { id, ...turn })) === 1;
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

const selectOfServiceId = statement((queries, { serviceId }: Given<{ serviceId: string }>) =>
  queries.selectFrom('attempts').select('id').where('serviceId', '=', serviceId),
);

/** Whether an attempt carries this id of the service already. */
export async function isServiceIdTaken(queries: Queries, serviceId: string): Promise<boolean> {
  return (await selectOfServiceId.first(queries, { serviceId })) !== undefined;
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
