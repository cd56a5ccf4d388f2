import type { Queries } from './database.js';
import { type Given, statement } from './statement.js';

interface StoredSession {
  readonly sid: string;
  readonly data: string;
  readonly expiresAt: number;
}

const select = statement((queries, { sid, now }: Given<{ sid: string; now: number }>) =>
  queries.selectFrom('sessions').select('data').where('sid', '=', sid).where('expiresAt', '>', now),
);

const upsert = statement((queries, session: Given<StoredSession>) =>
  queries
    .insertInto('sessions')
    .values(session)
    .onConflict((conflict) =>
      conflict.column('sid').doUpdateSet({ data: session.data, expiresAt: session.expiresAt }),
    ),
);

const shorten = statement((queries, { sid, expiresAt }: Given<{ sid: string; expiresAt: number }>) =>
  queries
    .updateTable('sessions')
    .set({ expiresAt })
    .where('sid', '=', sid)
    .where('expiresAt', '>', expiresAt),
);

/** The stored text of a session that has not run out. */
export async function findSession(queries: Queries, sid: string, now: number): Promise<string | undefined> {
  return (await select.first(queries, { sid, now }))?.data;
}

export async function putSession(queries: Queries, session: StoredSession): Promise<void> {
  await upsert.run(queries, session);
}

/** Lets a session run out at `expiresAt` at the latest, or at once with 0. */
export async function endSession(queries: Queries, sid: string, expiresAt: number): Promise<void> {
  await shorten.run(queries, { sid, expiresAt });
}
