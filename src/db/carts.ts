import type { Selectable } from 'kysely';
import { isPostgres } from '../database/dialects.js';
import type { Cart, CartLine } from '../shop/rules/cart.js';
import type { Db } from './database.js';
import { findLatestOrderOfCart, findOrderLines } from './orders.js';
import { productOf } from './products.js';
import type { CartLinesTable, ProductsTable } from './schema.js';
import { SETTINGS_VERSION } from './shop-settings.js';
import { atLeastZero, leftColumn } from './stock.js';

interface StoredCart extends Cart {
  /** The version of the shop's settings at the time of the read. */
  readonly settingsVersion: number;
}

/**
 * Returns the cart with its lines in order of addition, or `undefined`. Each line has its product at the current price,
 * visible or not. `left` is what is left of the product for this cart at the time `at`.
 */
export async function findCart(queries: Db, id: string, at: number): Promise<StoredCart | undefined> {
  const rows = await queries
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
    ])
    .selectAll('products')
    .select(leftColumn(at, id).as('left'))
    .where('carts.id', '=', id)
    .orderBy('cartLines.addedAt')
    .orderBy('cartLines.productId')
    .execute();
  const first = rows[0];
  if (!first) return undefined;
  const lines = rows.flatMap(
    ({
      cartVersion,
      discountCode: _,
      settingsVersion: __,
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
  const { cartVersion: version, discountCode, settingsVersion } = first;
  return { id, version, discountCode, lines, settingsVersion };
}

export async function insertCart(queries: Db, id: string, at: number): Promise<void> {
  await queries
    .insertInto('carts')
    .values({ id, version: 1, discountCode: null, createdAt: at, updatedAt: at })
    .execute();
}

/**
 * Locks the cart until the transaction ends, and returns its code. Only PostgreSQL needs it: SQLite has one writer, and returns
 * nothing. Read the cart afterwards: a joined statement that waits for the lock would return lines from before the wait.
 */
export async function lockCart(queries: Db, id: string): Promise<Pick<Cart, 'discountCode'> | undefined> {
  if (!isPostgres(queries)) return undefined;
  return queries.selectFrom('carts').select('discountCode').where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Locks the limited products of a locked cart until the transaction ends. Read the cart afterwards. */
export async function lockProductsOfCart(queries: Db, id: string): Promise<void> {
  if (!isPostgres(queries)) return;
  const limited = queries
    .selectFrom('cartLines')
    .innerJoin('products', 'products.id', 'cartLines.productId')
    .where('cartLines.cartId', '=', id)
    .where('products.stock', 'is not', null);
  await limited.select('products.id').orderBy('products.id').forUpdate('products').execute();
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

/**
 * Returns a version of the cart of a locked order for an order that the merchant places. The customer's checkout never uses it,
 * so the next one places another order.
 */
export async function takeCartVersion(queries: Db, cartId: string, at: number): Promise<number> {
  const cart = await queries.selectFrom('carts').select('version').where('id', '=', cartId).executeTakeFirst();
  const latest = await findLatestOrderOfCart(queries, cartId);
  const version = Math.max(cart?.version ?? 0, latest?.cartVersion ?? 0) + 1;
  const changed = { version: version + 1, updatedAt: at };
  await queries.updateTable('carts').set(changed).where('id', '=', cartId).execute();
  return version;
}
