/**
 * Stock and its reservations. A product's `stock` is what is on hand; null is unlimited. A reservation sets pieces aside
 * for the unpaid order of a cart. Until its time it reduces what all other carts may have.
 *
 * `packages/payments/README.md` has the lock order of the payments and the shop: carts, orders, discount codes, products, outbox jobs. A
 * transaction that reserves locks the cart. One that takes stock locks the order, and the cart if the order is not paid yet.
 *
 * One exception: a placement updates older unpaid orders of its cart after it locked the newest one and products. This
 * causes no deadlock: a transaction that locks two of these orders, or one of them and then products, holds the same cart.
 * Retention locks carts and orders in separate transactions, and only orders that are at least 30 days old.
 *
 * A CSV import or an edit of products locks the catalog, then products by ascending id. It locks no cart and no order.
 */

import { compileOnce, isPostgres } from '@tianguis/payments/database';
import { type RawBuilder, sql } from 'kysely';
import type { ClientKeys } from '../shop/rules/stock.js';
import type { Db } from './database.js';
import type { ReservationsTable } from './schema.js';
import { SETTINGS_VERSION } from './shop-settings.js';

/**
 * Returns the SQL of the column `left`: the pieces of a product that a cart may have. Null: unlimited. The stock minus
 * the active reservations of other carts, which may be negative. Without a cart the reservations of all carts count.
 */
export function leftColumn(at: number, cartId = ''): RawBuilder<number | null> {
  return sql<number | null>`case when products.stock is null then null
    else products.stock - coalesce((select sum(quantity) from reservations
      where product_id = products.id and expires_at > ${at} and cart_id <> ${cartId}), 0) end`;
}

/** Returns the subquery `reserved`: the pieces of active reservations by product. */
export function reservedPieces(queries: Db, at: number) {
  return queries
    .selectFrom('reservations')
    .select((eb) => ['productId', eb.fn.sum<number>('quantity').as('pieces')])
    .where('expiresAt', '>', at)
    .groupBy('productId')
    .as('reserved');
}

/** Locks these products until the transaction ends. Only PostgreSQL needs it: SQLite has one writer. */
export async function lockProducts(queries: Db, ids: readonly string[]): Promise<void> {
  if (!isPostgres(queries)) return;
  // One statement and one parameter for any number of products.
  await sql`select id from products where id = any(${ids}) order by id for update`.execute(queries);
}

export interface Pieces {
  readonly productId: string;
  readonly quantity: number;
}

/** Pieces of a product whose stock is limited, and its stock on hand. */
export interface LimitedPieces extends Pieces {
  readonly stock: number;
}

/**
 * Locks the limited products of an order until the transaction ends, and returns its lines of them. `isCovered`: there
 * is enough for all lines. A line with an active reservation of the order needs stock on hand only. If the merchant
 * lowers the stock below the reservations, the first payment takes it.
 */
export async function lockStock(queries: Db, order: OrderKeys, at: number): Promise<OrderStock> {
  // A joined statement that waits for the lock would return reservations from before the wait.
  if (isPostgres(queries)) await limitedLines(queries, order).select('products.id').forUpdate('products').execute();
  return readStock(queries, order, at);
}

interface OrderKeys {
  readonly id: string;
  readonly cartId: string;
}

interface OrderStock {
  readonly isCovered: boolean;
  /** It is covered, by active reservations of the order. */
  readonly isHeld: boolean;
  /** The merchant has hidden no product of it. */
  readonly isVisible: boolean;
  /** The version of the shop's settings at the time of the read. `undefined`: all products of the order are deleted. */
  readonly settingsVersion: number | undefined;
  readonly lines: readonly LimitedPieces[];
}

function limitedLines(queries: Db, { id }: OrderKeys) {
  const lines = queries.selectFrom('orderLines').innerJoin('products', 'products.id', 'orderLines.productId');
  return lines.where('orderLines.orderId', '=', id).where('products.stock', 'is not', null).orderBy('products.id');
}

const orderStock = compileOnce((queries: Db, { id, cartId, at }: OrderKeys & { readonly at: number }) =>
  queries
    .selectFrom('orderLines')
    .innerJoin('products', 'products.id', 'orderLines.productId')
    .where('orderLines.orderId', '=', id)
    .orderBy('products.id')
    .select(['orderLines.productId', 'orderLines.quantity', 'products.stock', 'products.visible'])
    .select([leftColumn(at, cartId).as('left'), SETTINGS_VERSION.as('settingsVersion')])
    .select((eb) =>
      eb
        .selectFrom('reservations')
        .select('quantity')
        .where('orderId', '=', id)
        .whereRef('productId', '=', 'products.id')
        .where('expiresAt', '>', at)
        .as('own'),
    ),
);

/**
 * Reads what is left of the products of an order, without a lock. Other carts cannot take reserved pieces. If the merchant
 * lowers the stock below the reservations, the payment finds it.
 */
export async function readStock(queries: Db, order: OrderKeys, at: number): Promise<OrderStock> {
  const all = await orderStock(queries, { id: order.id, cartId: order.cartId, at });
  const lines = all.flatMap(({ stock, ...line }) => (stock === null ? [] : [{ ...line, stock }]));
  const isReserved = ({ quantity, own }: (typeof lines)[number]) => own !== null && own >= quantity;
  const isCovered = lines.every((line) => line.quantity <= (isReserved(line) ? line.stock : (line.left ?? -1)));
  const isVisible = all.every(({ visible }) => visible === 1);
  const settingsVersion = all[0]?.settingsVersion;
  return { isCovered, isHeld: isCovered && lines.every(isReserved), isVisible, lines, settingsVersion };
}

export async function findLeft(
  queries: Db,
  productId: string,
  { cartId, at }: { readonly cartId: string | undefined; readonly at: number },
): Promise<number | null> {
  const row = await queries
    .selectFrom('products')
    .select(leftColumn(at, cartId).as('left'))
    .where('id', '=', productId)
    .executeTakeFirst();
  return atLeastZero(row?.left ?? null);
}

/** Returns 0 instead of a negative number, which results when the merchant lowers the stock below the reservations. */
export function atLeastZero(left: number | null): number | null {
  return left === null ? null : Math.max(0, left);
}

/** Pieces of a product that are set aside, or were until now. */
export type Reservation = Readonly<ReservationsTable>;

/**
 * Stores the reservation of an order. One that is still active stays as it is. The products must be locked, and enough of them
 * left.
 */
export async function putReservations(queries: Db, rows: readonly Reservation[], at: number): Promise<void> {
  if (rows.length === 0) return;
  const inserting = queries.insertInto('reservations').values(rows);
  const replacing = inserting.onConflict((conflict) =>
    conflict
      .columns(['orderId', 'productId'])
      .doUpdateSet((eb) => ({
        quantity: eb.ref('excluded.quantity'),
        expiresAt: eb.ref('excluded.expiresAt'),
        addressKey: eb.ref('excluded.addressKey'),
        networkKey: eb.ref('excluded.networkKey'),
      }))
      .where('reservations.expiresAt', '<=', at),
  );
  await replacing.execute();
}

/**
 * Returns what this cart, this address and this network hold of these products, and what they held since `since` without
 * a payment.
 */
export function findReservations(
  queries: Db,
  { cartId, addressKey, networkKey }: { readonly cartId: string } & Pick<ClientKeys, 'addressKey' | 'networkKey'>,
  productIds: readonly string[],
  since: number,
): Promise<readonly Reservation[]> {
  return queries
    .selectFrom('reservations')
    .selectAll()
    .where('productId', 'in', productIds)
    .where('expiresAt', '>', since)
    .where((eb) =>
      eb.or([
        eb('cartId', '=', cartId),
        ...(addressKey === '' ? [] : [eb('addressKey', '=', addressKey)]),
        ...(networkKey === '' ? [] : [eb('networkKey', '=', networkKey)]),
      ]),
    )
    .execute();
}

/**
 * Ends the active reservation of an order at a time in milliseconds since 1970, if it would end later. One that lasts as
 * long as the order is payable stays as it is.
 */
export async function endReservation(
  queries: Db,
  { id: orderId, payableUntil }: Payable,
  expiresAt: number,
): Promise<void> {
  await queries
    .updateTable('reservations')
    .set({ expiresAt })
    .where('orderId', '=', orderId)
    .where('expiresAt', '>', expiresAt)
    .where('expiresAt', '<>', payableUntil ?? 0)
    .execute();
}

interface Payable {
  readonly id: string;
  readonly payableUntil: number | null;
}

/**
 * Extends the active reservation of an order. One that has ended stays so, because other carts may have its pieces. One that
 * lasts as long as the order is payable stays as it is.
 */
export async function extendReservation(
  queries: Db,
  { id: orderId, payableUntil }: Payable,
  { at, byMs }: { readonly at: number; readonly byMs: number },
): Promise<void> {
  await queries
    .updateTable('reservations')
    .set((eb) => ({ expiresAt: eb('expiresAt', '+', byMs) }))
    .where('orderId', '=', orderId)
    .where('expiresAt', '>', at)
    .where('expiresAt', '<>', payableUntil ?? 0)
    .execute();
}

/** Ends the active reservations of a cart's earlier orders, and removes those that its new order has taken over. */
export async function handOverReservations(
  queries: Db,
  { id, cartId }: { readonly id: string; readonly cartId: string },
  at: number,
): Promise<void> {
  const takenOver = queries.selectFrom('reservations').select('productId').where('orderId', '=', id);
  await queries
    .deleteFrom('reservations')
    .where('cartId', '=', cartId)
    .where('orderId', '<>', id)
    .where('expiresAt', '>', at)
    .where('productId', 'in', takenOver)
    .execute();
  await queries
    .updateTable('reservations')
    .set({ expiresAt: at })
    .where('cartId', '=', cartId)
    .where('orderId', '<>', id)
    .where('expiresAt', '>', at)
    .execute();
}

/** Removes all reservations of a cart whose order was paid. */
export async function releaseCart(queries: Db, cartId: string): Promise<void> {
  await queries.deleteFrom('reservations').where('cartId', '=', cartId).execute();
}

/** Takes the limited products of an order from stock. The caller must have locked and checked them with `lockStock`. */
export function takeStock(queries: Db, lines: readonly Pieces[], at: number): Promise<void> {
  return changeStock(queries, lines, '-', at);
}

/** Returns the products of an order to stock. Unlimited ones have none. The caller must hold the order. */
export async function returnStock(
  queries: Db,
  order: { readonly id: string; readonly cartId: string },
  at: number,
): Promise<void> {
  const { lines } = await lockStock(queries, order, at);
  await changeStock(queries, lines, '+', at);
}

/** One statement per line: an order has few lines, and both databases read this form alike. */
async function changeStock(queries: Db, lines: readonly Pieces[], sign: '+' | '-', at: number): Promise<void> {
  for (const { productId, quantity } of lines)
    await queries
      .updateTable('products')
      .set((eb) => ({ stock: eb('stock', sign, quantity), updatedAt: at }))
      .where('id', '=', productId)
      .execute();
}
