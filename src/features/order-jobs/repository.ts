import type { Selectable } from 'kysely';
import type { Db } from '../../tables/database.js';
import type { Schema } from '../../tables/schema.js';

export type ShopJob = Readonly<Selectable<Schema['outbox']>>;

/** Returns the outbox jobs with these keys, done or not. */
export function findJobs(queries: Db, keys: readonly string[]): Promise<readonly ShopJob[]> {
  return queries.selectFrom('outbox').selectAll().where('key', 'in', keys).orderBy('key', 'desc').execute();
}

/** Makes an outbox job due now. Returns `false` if it is done, does not exist or is due by `after`. */
export async function makeJobDue(
  queries: Db,
  key: string,
  turn: { readonly at: number; readonly after: number },
): Promise<boolean> {
  const result = await queries
    .updateTable('outbox')
    .set({ nextAt: turn.at })
    .where('key', '=', key)
    .where('doneAt', 'is', null)
    .where('nextAt', '>', turn.after)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
