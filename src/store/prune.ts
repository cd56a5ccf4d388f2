/** Takes out what nobody needs any more, the oldest first and so many at a time: what is removed is waited for by nobody. */
import { sql } from 'kysely';
import type { Queries } from './database.js';
import { recordEvents } from './history.js';

export interface Pruning {
  /** Milliseconds since 1970: what was over by then. */
  readonly before: number;
  readonly most: number;
}

/** What can be over: its table, the key of a row, and the column that says since when. */
const PRUNED = {
  /** Those that have run out. */
  sessions: { table: 'sessions', key: 'sid', since: 'expiresAt' },
  /** By their last change, with what lies in them. */
  carts: { table: 'carts', key: 'id', since: 'updatedAt' },
  /** Messages of the service that are done, understood or not. */
  messages: { table: 'inbox', key: 'id', since: 'doneAt' },
  /** Mails and hooks that are done; the order's history goes on telling of them. */
  effects: { table: 'outbox', key: 'key', since: 'doneAt' },
} as const;

export type Pruned = keyof typeof PRUNED;

/** Removes rows of one kind; says how many. */
export async function prune(queries: Queries, what: Pruned, { before, most }: Pruning): Promise<number> {
  const [table, key, since] = [
    sql.table(PRUNED[what].table),
    sql.ref(PRUNED[what].key),
    sql.ref(PRUNED[what].since),
  ];
  const over = sql`select ${key} from ${table} where ${since} <= ${before} order by ${since} limit ${most}`;
  const removed = await sql`delete from ${table} where ${key} in (${over})`.execute(queries);
  return Number(removed.numAffectedRows);
}

/**
 * Removes name and e-mail from orders that were placed before and are at rest, and says from how many; what was sold, for
 * how much and how it was paid stays for the books.
 */
export async function forgetShoppers(
  queries: Queries,
  { before, most, at }: Pruning & { readonly at: number },
): Promise<number> {
  const forgotten = await queries
    .updateTable('orders')
    .set({ firstName: '', lastName: '', email: '' })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('orders')
        .select('id')
        // The words of the partial index, so that both databases use it and not that of the states.
        .where(sql<boolean>`email <> ''`)
        .where(sql<boolean>`(state || '') in ('created', 'paid', 'declined', 'expired', 'cancelled')`)
        .where('attention', 'is', null)
        .where('createdAt', '<=', before)
        .orderBy('createdAt')
        .limit(most),
    )
    .returning('id')
    .execute();
  await recordEvents(
    queries,
    forgotten.map(({ id }) => ({ orderId: id, at, kind: 'shopper_forgotten', detail: {} })),
  );
  return forgotten.length;
}
