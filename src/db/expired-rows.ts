/** The rows of the shop that are removed after their time. */

import type { ExpiringRows } from '@tianguis/payments/database';
import { isPostgres } from '@tianguis/payments/database';
import { type RawBuilder, sql } from 'kysely';
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

/** The index of each table is read, so that no picture's file is. */
const UNUSED = sql<boolean>`not exists (select 1 from products where products.image = '/pictures/' || pictures.hash)
  and not exists (select 1 from product_pictures where product_pictures.image = '/pictures/' || pictures.hash)
  and not exists (select 1 from shop_settings_values where name in ('brand.logo', 'brand.heroImage') and value = '"/pictures/' || pictures.hash || '"')`;

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
  invoiceLinks: { table: 'invoiceLinks', key: 'hash', since: 'expiresAt', days: 0 },
  /** Uses of discount codes by orders that were not paid, with the address hashes. */
  discountUses: {
    table: 'discountUses',
    key: 'orderId',
    since: 'expiresAt',
    days: 1,
    where: sql<boolean>`used_at is null`,
  },
  /** Mailboxes that may get a reminder again. */
  remindedMailboxes: { table: 'remindedMailboxes', key: 'mailbox', since: 'remindedAt', days: 1 },
  /** Uploaded pictures that no product and no setting has. An undone change may need the picture of an earlier setting. The change of a product that adds a picture also stores it. */
  pictures: { table: 'pictures', key: 'hash', since: 'storedAt', days: 1, where: UNUSED },
  adminLinks: { table: 'adminLinks', key: 'hash', since: 'expiresAt', days: 0 },
  signIns: { table: 'adminSignIns', key: 'id', since: 'at', days: 90 },
} as const satisfies Readonly<Record<string, ExpiringRows<Schema>>>;
