import { compileOnce, isPostgres } from '@tianguis/payments/database';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Cart, CartLine } from '../shop/rules/cart.js';
import type { Db } from './database.js';
import { findOrderLines } from './orders.js';
import { productOf } from './products.js';
import type { CartLinesTable, ProductsTable } from './schema.js';
import { SETTINGS_VERSION } from './shop-settings.js';
import { atLeastZero, leftColumn } from './stock.js';

interface StoredCart extends Cart {
  /** The version of the shop's settings at the time of the read. */
  readonly settingsVersion: number;
  /** The order of its highest version that has one. */
  readonly latestOrderId: string | null;
}

const LATEST_ORDER: RawBuilder<string | null> = sql`(select id from orders
  where cart_id = carts.id order by cart_version desc limit 1)`;

const cartWithLines = compileOnce((queries: Db, { id, at }: { readonly id: string; readonly at: number }) =>
  queries
    .selectFrom('carts')
    .leftJoin('cartLines', 'cartLines.cartId', 'carts.id')
    .leftJoin('products', 'products.id', 'cartLines.productId')
    .select([
      'carts.version as cartVersion',
      'carts.discountCode',
      'cartLines.productId',
      'cartLines.quantity',
      'cartLines.seenPrice',
      SETTINGS_VERSION.as('settingsVersion'),
      LATEST_ORDER.as('latestOrderId'),
    ])
    .selectAll('products')
    .select(leftColumn(at, id).as('left'))
    .where('carts.id', '=', id)
    .orderBy('cartLines.addedAt')
    .orderBy('cartLines.productId'),
);

/**
 * Returns the cart with its lines in order of addition, or `undefined`. Each line has its product at the current price,
 * visible or not. `left` is what is left of the product for this cart at the time `at`.
 */
export async function findCart(queries: Db, id: string, at: number): Promise<StoredCart | undefined> {
  const rows = await cartWithLines(queries, { id, at });
  const first = rows[0];
  if (!first) return undefined;
  const lines = rows.flatMap(
    ({
      cartVersion,
      discountCode: _discountCode,
      settingsVersion: _settingsVersion,
      latestOrderId: _latestOrderId,
      productId,
      quantity,
      seenPrice,
      left,
      ...columns
    }): CartLine[] => {
      if (productId === null || quantity === null || seenPrice === null) return [];
      // After the left join, `id` is null if the product was deleted.
      const product = columns.id === null ? undefined : productOf(columns as Selectable<ProductsTable>);
      return [{ productId, quantity, seenPrice, product, left: atLeastZero(left) }];
    },
  );
  const { cartVersion: version, discountCode, settingsVersion, latestOrderId } = first;
  return { id, version, discountCode, lines, settingsVersion, latestOrderId };
}

export async function insertCart(queries: Db, id: string, at: number): Promise<void> {
  await queries
    .insertInto('carts')
    .values({ id, version: 1, discountCode: null, createdAt: at, updatedAt: at })
    .execute();
}

/**
 * Locks the cart until the transaction ends. Only PostgreSQL needs it: SQLite has one writer. Read the cart afterwards: a joined
 * statement that waits for the lock would return lines from before the wait.
 */
export async function lockCart(queries: Db, id: string): Promise<void> {
  if (!isPostgres(queries)) return;
  await queries.selectFrom('carts').select('id').where('id', '=', id).forUpdate().execute();
}

/**
 * Locks the limited products of a locked cart until the transaction ends. Returns whether there are any: read the cart again,
 * because the statement may have waited.
 */
export async function lockProductsOfCart(queries: Db, { lines }: Cart): Promise<boolean> {
  const limited = lines.filter(({ product }) => product !== undefined && product.stock !== null);
  if (!isPostgres(queries) || limited.length === 0) return false;
  const ids = limited.map(({ productId }) => productId);
  await queries.selectFrom('products').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute();
  return true;
}

/** Locks the carts of these orders by ascending id until the transaction ends. */
export async function lockCartsOfOrders(queries: Db, orderIds: readonly string[]): Promise<void> {
  if (!isPostgres(queries) || orderIds.length === 0) return;
  const carts = queries.selectFrom('carts').innerJoin('orders', 'orders.cartId', 'carts.id');
  await carts.select('carts.id').where('orders.id', 'in', orderIds).orderBy('carts.id').forUpdate('carts').execute();
}

/** Sets one line of a locked cart. A quantity of 0 removes it. The caller must call `incrementCartVersion` afterwards. */
export async function putCartLine(
  queries: Db,
  { at, ...line }: Omit<CartLinesTable, 'addedAt'> & { readonly at: number },
): Promise<void> {
  const { cartId, productId, quantity, seenPrice } = line;
  if (quantity === 0) return removeCartLines(queries, cartId, [productId]);
  await queries
    .insertInto('cartLines')
    .values({ ...line, addedAt: at })
    .onConflict((conflict) => conflict.columns(['cartId', 'productId']).doUpdateSet({ quantity, seenPrice }))
    .execute();
}

/** Removes lines of a locked cart. The caller must call `incrementCartVersion` afterwards. */
export async function removeCartLines(queries: Db, cartId: string, productIds: readonly string[]): Promise<void> {
  if (productIds.length === 0) return;
  await queries.deleteFrom('cartLines').where('cartId', '=', cartId).where('productId', 'in', productIds).execute();
}

/** Stores the discount code of a locked cart. The caller must call `incrementCartVersion` afterwards. */
export async function setDiscountCode(queries: Db, id: string, code: string | null): Promise<void> {
  await queries.updateTable('carts').set({ discountCode: code }).where('id', '=', id).execute();
}

/** Removes this code from a locked cart. Another one stays. */
async function removeDiscountCode(queries: Db, id: string, code: string): Promise<void> {
  const removing = queries.updateTable('carts').set({ discountCode: null }).where('id', '=', id);
  await removing.where('discountCode', '=', code).execute();
}

/** Increments the version of a locked cart. Orders of earlier versions no longer match the cart. */
export async function incrementCartVersion(queries: Db, id: string, at: number): Promise<void> {
  await queries
    .updateTable('carts')
    .set((eb) => ({ version: eb('version', '+', 1), updatedAt: at }))
    .where('id', '=', id)
    .execute();
}

/** Removes the quantities of a paid order from a locked cart, and its code. Other products and later additions stay in the cart. */
export async function emptyCartOf(
  queries: Db,
  order: { readonly id: string; readonly cartId: string; readonly discountCode: string | null },
  at: number,
): Promise<void> {
  if (order.discountCode !== null) await removeDiscountCode(queries, order.cartId, order.discountCode);
  for (const { productId, quantity } of await findOrderLines(queries, order.id))
    await queries
      .updateTable('cartLines')
      .set((eb) => ({ quantity: eb('quantity', '-', quantity) }))
      .where('cartId', '=', order.cartId)
      .where('productId', '=', productId)
      .execute();
  const emptied = queries.deleteFrom('cartLines').where('cartId', '=', order.cartId);
  await emptied.where('quantity', '<=', 0).execute();
  await incrementCartVersion(queries, order.cartId, at);
}
