/** Writes to the catalog, and what the back office and the export read of it. */

import { isPostgres } from '@tianguis/payments/database';
import { type Selectable, sql } from 'kysely';
import { isProductKey, type Product, searchTextOf } from '../shop/rules/product.js';
import type { Db } from './database.js';
import { batchesOf, putProductWords } from './product-words.js';
import { productOf, type StoredTexts } from './products.js';
import type { ProductsTable } from './schema.js';

/** Arbitrary, but the same in every process of the shop. */
const CATALOG_LOCK = 7_236_401;

/** The columns of an existing product that a change writes. A new column belongs here and into `columnsOf`. */
const UPDATED = [
  ...([
    'category',
    'price',
    'priceBefore',
    'weightG',
    'taxRate',
    'stock',
    'requiresShipping',
    'visible',
    'featured',
    'image',
  ] as const),
  ...(['claveProdServ', 'claveUnidad', 'variantOf', 'variantAttribute', 'texts', 'searchText', 'updatedAt'] as const),
];

export interface StoredProduct {
  readonly product: Product;
  readonly position: number;
  readonly version: number;
}

/** Acquires the lock of imports until the transaction ends. SQLite needs none, because it has one writer. */
export async function lockCatalog(queries: Db): Promise<void> {
  if (isPostgres(queries)) await sql`select pg_advisory_xact_lock(${CATALOG_LOCK})`.execute(queries);
}

export async function findAllProducts(queries: Db): Promise<readonly StoredProduct[]> {
  const rows = await queries.selectFrom('products').selectAll().orderBy('position').execute();
  return rows.map(storedOf);
}

/** Returns whether these are all products, and none was changed or sold since they were read. */
export async function areUnchanged(queries: Db, products: readonly StoredProduct[]): Promise<boolean> {
  const rows = await queries.selectFrom('products').select(['id', 'version', 'stock']).orderBy('position').execute();
  return (
    rows.length === products.length &&
    products.every(({ product, version }, index) => {
      const row = rows[index];
      return row?.id === product.id && row.version === version && row.stock === product.stock;
    })
  );
}

/** Returns the product with this id, visible or not, or `undefined`. */
export async function findStoredProduct(queries: Db, id: string): Promise<StoredProduct | undefined> {
  if (!isProductKey(id)) return undefined;
  const row = await queries.selectFrom('products').selectAll().where('id', '=', id).executeTakeFirst();
  return row && storedOf(row);
}

/** Returns those of the products that exist, in the order of their ids. */
export async function findStoredProducts(queries: Db, ids: readonly string[]): Promise<readonly StoredProduct[]> {
  if (ids.length === 0) return [];
  const rows = await queries.selectFrom('products').selectAll().where('id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, storedOf(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Returns a main product and its variants in their order, visible or not. Of a product without a group it is the product. */
export async function findGroup(queries: Db, id: string): Promise<readonly StoredProduct[]> {
  const rows = await queries
    .selectFrom('products')
    .selectAll()
    .where((eb) => eb.or([eb('id', '=', id), eb('variantOf', '=', id)]))
    .orderBy((eb) => eb('variantOf', 'is not', null))
    .orderBy('position')
    .execute();
  return rows.map(storedOf);
}

/** Writes products, which the caller has locked, and adds it to their histories. */
export async function saveProducts(
  queries: Db,
  products: readonly (Pick<StoredProduct, 'product' | 'position'> & Pick<ProductEvent, 'kind' | 'detail'>)[],
  { at, by }: Author,
): Promise<void> {
  await writeProducts(queries, products, at);
  const events = products.map(({ product, kind, detail }) => ({ productId: product.id, at, by, kind, detail }));
  await recordProductEvents(queries, events);
}

/** Inserts new products and updates existing ones, which the caller has locked. Increments the version. */
export async function writeProducts(
  queries: Db,
  products: readonly Pick<StoredProduct, 'product' | 'position'>[],
  at: number,
): Promise<void> {
  await putProductWords(
    queries,
    products.map(({ product }) => product),
  );
  for await (const batch of batchesOf(products))
    await queries
      .insertInto('products')
      .values(
        batch.map(({ product, position }) => {
          const { category, weight, name, description, imageAlt, variant } = product;
          const texts: StoredTexts = { name, description, imageAlt, category: category.name, variant };
          return {
            // All rows have the same columns: for one that only some have, SQLite would insert null.
            ...columnsOf(product),
            weightG: weight,
            category: category.id,
            requiresShipping: product.requiresShipping ? 1 : 0,
            visible: product.visible ? 1 : 0,
            featured: product.featured ? 1 : 0,
            texts: JSON.stringify(texts),
            searchText: searchTextOf(product),
            position,
            version: 1,
            updatedAt: at,
          };
        }),
      )
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          ...Object.fromEntries(UPDATED.map((column) => [column, eb.ref(`excluded.${column}`)])),
          version: eb('products.version', '+', 1),
        })),
      )
      .execute();
}

/** Returns the columns that are stored as they are, without those that a shop added. */
function columnsOf(product: Product) {
  const { id, slug, price, priceBefore, taxRate, stock, image } = product;
  const { claveProdServ, claveUnidad, variantOf, variantAttribute } = product;
  return {
    id,
    slug,
    price,
    priceBefore,
    taxRate,
    stock,
    image,
    claveProdServ,
    claveUnidad,
    variantOf,
    variantAttribute,
  };
}

/** Time and author of a change. */
export interface Author {
  readonly at: number;
  /** The admin user, or the command. */
  readonly by: string;
}

export interface ProductEvent extends Author {
  readonly productId: string;
  readonly kind: 'created' | 'changed';
  /** The changed cells before and after, by column. */
  readonly detail: Readonly<Record<string, readonly [before: string, after: string]>>;
}

/** Adds entries to the history. Call it in the transaction of the changes. */
export async function recordProductEvents(queries: Db, events: readonly ProductEvent[]): Promise<void> {
  for await (const batch of batchesOf(events))
    await queries
      .insertInto('productEvents')
      .values(batch.map((event) => ({ ...event, detail: JSON.stringify(event.detail) })))
      .execute();
}

/** Returns the last entries of a product's history, newest first. */
export async function findProductEvents(
  queries: Db,
  productId: string,
  limit: number,
): Promise<readonly ProductEvent[]> {
  const rows = await queries
    .selectFrom('productEvents')
    .selectAll()
    .where('productId', '=', productId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ detail, ...row }) => ({ ...row, detail: JSON.parse(detail) as ProductEvent['detail'] }));
}

function storedOf(row: Selectable<ProductsTable>): StoredProduct {
  return { product: productOf(row), position: row.position, version: row.version };
}
