import { compileOnce } from '@tianguis/payments/database';
import type { Insertable } from 'kysely';
import type { Db } from './database.js';
import type { Schema } from './schema.js';

const validSession = compileOnce((queries: Db, { sid, now }: { readonly sid: string; readonly now: number }) =>
  queries.selectFrom('sessions').select('data').where('sid', '=', sid).where('expiresAt', '>', now),
);

/** Returns the JSON of a session that has not expired. */
export async function findSession(queries: Db, sid: string, now: number): Promise<string | undefined> {
  const [row] = await validSession(queries, { sid, now });
  return row?.data;
}

export async function putSession(queries: Db, session: Insertable<Schema['sessions']>): Promise<void> {
  const { data, expiresAt } = session;
  await queries
    .insertInto('sessions')
    .values(session)
    .onConflict((conflict) => conflict.column('sid').doUpdateSet({ data, expiresAt }))
    .execute();
}

/** Makes a session expire at `expiresAt` at the latest. With 0 it expires immediately. */
export async function endSession(queries: Db, sid: string, expiresAt: number): Promise<void> {
  await queries
    .updateTable('sessions')
    .set({ expiresAt })
    .where('sid', '=', sid)
    .where('expiresAt', '>', expiresAt)
    .execute();
}
