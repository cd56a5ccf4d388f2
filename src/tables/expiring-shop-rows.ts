/** The rows of the shop that are removed after their time. */

import type { ExpiringRows } from '@tianguis/payments/database';
import { isPostgres } from '@tianguis/payments/database';
import { type RawBuilder, sql } from 'kysely';
import { FEATURE_ROWS } from '../features/rows.js';
import { COOLDOWN_MS } from '../shop/rules/stock.js';
import type { Db } from './database.js';
import type { Schema } from './schema.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * Same text as in the partial index, so that both databases use it. A cart changes with its first line in the moment of its
 * creation.
 */
const UNCHANGED = sql<boolean>`updated_at = created_at
  and not exists (select 1 from orders where orders.cart_id = carts.id)`;

/** PostgreSQL locks carts in the order of their ids. For the lock order see `stock.ts`. */
async function lockCarts(tx: Db, carts: RawBuilder<unknown>): Promise<readonly string[]> {
  const lock = isPostgres(tx) ? sql`for update` : sql``;
  const locked = sql<{ id: string }>`select id from carts where id in (${carts}) order by id ${lock}`;
  return (await locked.execute(tx)).rows.map(({ id }) => id);
}

export const EXPIRING_ROWS = {
  sessions: { table: 'sessions', key: 'sid', since: 'expiresAt', days: 0 },
  typedForms: { table: 'typedForms', key: 'sid', since: 'expiresAt', days: 0 },
  /** Reservations, with the address hashes. An ended one counts against its address for a while. */
  reservations: { table: 'reservations', key: 'orderId', since: 'expiresAt', days: COOLDOWN_MS / DAY_MS },
  /** Carts with their lines. Twice the lifetime of the session that refers to the cart. */
  carts: { table: 'carts', key: 'id', since: 'updatedAt', days: 60, lock: lockCarts },
  /** Carts without an order that were not changed after their creation. Their sessions expire at the same time. */
  unchangedCarts: { table: 'carts', key: 'id', since: 'updatedAt', days: 2, where: UNCHANGED, lock: lockCarts },
  adminLinks: { table: 'adminLinks', key: 'hash', since: 'expiresAt', days: 0 },
  signIns: { table: 'adminSignIns', key: 'id', since: 'at', days: 90 },
} as const satisfies Readonly<Record<string, ExpiringRows<Schema>>>;

/** Those of the features, also of removed ones. */
export const EXPIRING_FEATURE_ROWS: readonly ExpiringRows<Schema>[] = Object.entries(FEATURE_ROWS).flatMap(
  ([table, { expires }]) => (expires ? { ...expires, table, where: sql.raw(expires.where ?? 'true') } : []),
);
