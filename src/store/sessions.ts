import type { Queries } from './database.js';

/** The stored text of a session that has not run out. */
export async function findSession(queries: Queries, sid: string, now: number): Promise<string | undefined> {
  const row = await queries
    .selectFrom('sessions')
    .select('data')
    .where('sid', '=', sid)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return row?.data;
}

export async function putSession(
  queries: Queries,
  session: { readonly sid: string; readonly data: string; readonly expiresAt: number },
): Promise<void> {
  const { data, expiresAt } = session;
  await queries
    .insertInto('sessions')
    .values(session)
    .onConflict((conflict) => conflict.column('sid').doUpdateSet({ data, expiresAt }))
    .execute();
}

/** Lets a session run out at `expiresAt` at the latest, or at once with 0. */
export async function endSession(queries: Queries, sid: string, expiresAt: number): Promise<void> {
  await queries
    .updateTable('sessions')
    .set({ expiresAt })
    .where('sid', '=', sid)
    .where('expiresAt', '>', expiresAt)
    .execute();
}
