import type { Queries } from './database.js';

interface StoredSession {
  readonly sid: string;
  readonly data: string;
  readonly expiresAt: number;
}

/** Returns the JSON of a session that has not expired. */
export async function findSession(queries: Queries, sid: string, now: number): Promise<string | undefined> {
  const row = await queries
    .selectFrom('sessions')
    .select('data')
    .where('sid', '=', sid)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return row?.data;
}

export async function putSession(queries: Queries, session: StoredSession): Promise<void> {
  const { data, expiresAt } = session;
  await queries
    .insertInto('sessions')
    .values(session)
    .onConflict((conflict) => conflict.column('sid').doUpdateSet({ data, expiresAt }))
    .execute();
}

/** Makes a session expire at `expiresAt` at the latest. With 0 it expires immediately. */
export async function endSession(queries: Queries, sid: string, expiresAt: number): Promise<void> {
  await queries
    .updateTable('sessions')
    .set({ expiresAt })
    .where('sid', '=', sid)
    .where('expiresAt', '>', expiresAt)
    .execute();
}

/**
 * Stores `session` and makes the session `replaced` expire at `replacedUntil` at the latest. Both happen in one statement,
 * so at least one of the two ids is always valid.
 */
export async function replaceSession(
  queries: Queries,
  session: StoredSession,
  { replaced, replacedUntil }: { readonly replaced: string; readonly replacedUntil: number },
): Promise<void> {
  const added = queries.selectNoFrom((eb) => [
    eb.val(session.sid).as('sid'),
    eb.val(session.data).as('data'),
    eb.val(session.expiresAt).as('expiresAt'),
  ]);
  const shortened = queries
    .selectFrom('sessions')
    .select((eb) => ['sid', 'data', eb.cast<number>(eb.val(replacedUntil), 'bigint').as('expiresAt')])
    .where('sid', '=', replaced);
  await queries
    .insertInto('sessions')
    .columns(['sid', 'data', 'expiresAt'])
    .expression(added.unionAll(shortened))
    .onConflict((conflict) =>
      conflict
        .column('sid')
        .doUpdateSet((eb) => ({ expiresAt: eb.ref('excluded.expiresAt') }))
        .whereRef('sessions.expiresAt', '>', 'excluded.expiresAt'),
    )
    .execute();
}
