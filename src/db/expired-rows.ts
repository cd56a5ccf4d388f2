/** Removes rows whose time ended, oldest first, in bounded batches. */
import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../database/dialects.js';
import { COOLDOWN_MS } from '../domain/stock.js';
import type { Queries } from './database.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * Same text as in the partial index, so that both databases use it. A cart changes with its first line in the moment of its
 * creation.
 */
const UNCHANGED = sql<boolean>`updated_at = created_at
  and not exists (select 1 from orders where orders.cart_id = carts.id)`;

/** The index of each table is read, so that no picture's file is. */
const UNUSED = sql<boolean>`not exists (select 1 from products where products.image = '/pictures/' || pictures.hash)
  and not exists (select 1 from product_pictures where product_pictures.image = '/pictures/' || pictures.hash)`;

/** For each kind of row: its table and key, the start of the retention, the retention in days, and a further condition. */
const EXPIRING = {
  sessions: { table: 'sessions', key: 'sid', since: 'expiresAt', days: 0 },
  typedForms: { table: 'typedForms', key: 'sid', since: 'expiresAt', days: 0 },
  /** Reservations, with the address hashes. An ended one counts against its address for a while. */
  reservations: { table: 'reservations', key: 'orderId', since: 'expiresAt', days: COOLDOWN_MS / DAY_MS },
  /** Carts with their lines. Twice the lifetime of the session that refers to the cart. */
  carts: { table: 'carts', key: 'id', since: 'updatedAt', days: 60 },
  /** Carts without an order that were not changed after their creation. Their sessions expire at the same time. */
  unchangedCarts: { table: 'carts', key: 'id', since: 'updatedAt', days: 2, where: UNCHANGED },
  /** Processed webhook events may contain customer data. A review may need them for this time. */
  webhooks: { table: 'inbox', key: 'id', since: 'doneAt', days: 30 },
  /** Outbox jobs that are done. The order's history still records them. */
  jobs: { table: 'outbox', key: 'key', since: 'doneAt', days: 90 },
  invoiceLinks: { table: 'invoiceLinks', key: 'hash', since: 'expiresAt', days: 0 },
  /** Uploaded pictures that no product has. The change of a product that adds a picture also stores it. */
  pictures: { table: 'pictures', key: 'hash', since: 'storedAt', days: 1, where: UNUSED },
  adminLinks: { table: 'adminLinks', key: 'hash', since: 'expiresAt', days: 0 },
  signIns: { table: 'adminSignIns', key: 'id', since: 'at', days: 90 },
} as const satisfies Readonly<Record<string, ExpiringRows>>;

interface ExpiringRows {
  readonly table: string;
  readonly key: string;
  readonly since: string;
  readonly days: number;
  readonly where?: RawBuilder<boolean>;
}

type ExpiringRow = keyof typeof EXPIRING;
export const EXPIRING_ROWS = Object.keys(EXPIRING) as readonly ExpiringRow[];

/**
 * Removes at most `limit` rows of one kind whose retention ended before `at`. Returns how many were removed. Call it in a
 * transaction.
 */
export async function deleteExpired(
  queries: Queries,
  what: ExpiringRow,
  { at, limit }: { readonly at: number; readonly limit: number },
): Promise<number> {
  const { days, where, ...names }: ExpiringRows = EXPIRING[what];
  const table = sql.table(names.table);
  const key = sql.ref(names.key);
  const since = sql.ref(names.since);
  const isOver = sql`${since} <= ${at - days * DAY_MS} and ${where ?? sql`true`}`;
  let over = sql`select ${key} from ${table} where ${isOver} order by ${since} limit ${limit}`;
  if (names.table === 'carts' && isPostgres(queries)) {
    // For the lock order see db/stock.ts.
    const lock = sql<{ id: string }>`select id from carts where id in (${over}) order by id for update`;
    const { rows } = await lock.execute(queries);
    if (rows.length === 0) return 0;
    over = sql.join(rows.map(({ id }) => id));
  }
  // Checked twice: a row that another process changes meanwhile must stay.
  const removed = await sql`delete from ${table} where ${key} in (${over}) and ${isOver}`.execute(queries);
  return Number(removed.numAffectedRows);
}
