/** Removes rows whose time ended, oldest first, in bounded batches. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DatabaseOf } from './database.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Rows per statement, so that deletes hold their locks briefly. The next batch removes more. */
const BATCH = 200;

/** A kind of row: its table and key, the start of the retention, the retention in days, and a further condition. */
export interface ExpiringRows<T> {
  readonly table: string;
  readonly key: string;
  readonly since: string;
  readonly days: number;
  readonly where?: RawBuilder<boolean> | undefined;
  /** Locks these rows first, and returns the keys that it locked. */
  lock?: ((tx: Kysely<T>, keys: RawBuilder<unknown>) => Promise<readonly string[]>) | undefined;
}

/** Removes a batch of each kind. Returns the number of rows, or 0 if less than a batch was left of each kind. */
export async function deleteExpiredRows<T>(
  db: DatabaseOf<T>,
  kinds: readonly ExpiringRows<T>[],
  at: number,
): Promise<number> {
  const removed: number[] = [];
  for (const kind of kinds) removed.push(await db.transaction((tx) => deleteExpired(tx, kind, { at, limit: BATCH })));
  return removed.some((count) => count === BATCH) ? removed.reduce((total, count) => total + count, 0) : 0;
}

/**
 * Removes at most `limit` rows of one kind whose retention ended before `at`. Returns how many were removed. Call it in a
 * transaction.
 */
export async function deleteExpired<T>(
  tx: Kysely<T>,
  kind: ExpiringRows<T>,
  { at, limit }: { readonly at: number; readonly limit: number },
): Promise<number> {
  const table = sql.table(kind.table);
  const key = sql.ref(kind.key);
  const since = sql.ref(kind.since);
  const isOver = sql`${since} <= ${at - kind.days * DAY_MS} and (${kind.where ?? sql`true`})`;
  let over: RawBuilder<unknown> = sql`select ${key} from ${table} where ${isOver} order by ${since} limit ${limit}`;
  if (kind.lock) {
    const keys = await kind.lock(tx, over);
    if (keys.length === 0) return 0;
    over = sql.join(keys);
  }
  // Checked twice: a row that another process changes meanwhile must stay.
  const removed = await sql`delete from ${table} where ${key} in (${over}) and ${isOver}`.execute(tx);
  return Number(removed.numAffectedRows);
}
