/** Writes to the catalog, and what the back office and the export read of it. */
import { type Selectable, sql } from 'kysely';
import type { Product } from '../domain/product.js';
import type { Queries } from './database.js';
import { isPostgres } from './dialects.js';
import { columnsOf, PRODUCT_COLUMNS, productOf } from './products.js';
import type { ProductsTable } from './schema.js';

/** Rows per statement. SQLite accepts 32,766 parameters, PostgreSQL 65,535. */
const BATCH_SIZE = 500;
/** Arbitrary, but the same in every process of the shop. */
const CATALOG_LOCK = 7_236_401;

/** A product as stored. */
export interface StoredProduct {
  readonly product: Product;
  readonly position: number;
  /** Optimistic lock. */
  readonly version: number;
}

/** Waits for other imports and prevents new ones until the transaction ends. A transaction of SQLite does both. */
export async function lockCatalog(queries: Queries): Promise<void> {
  if (isPostgres(queries)) await sql`select pg_advisory_xact_lock(${CATALOG_LOCK})`.execute(queries);
}

/** What an import compares with all its rows. */
export interface CatalogIndex {
  readonly products: readonly Pick<ProductsTable, 'id' | 'slug' | 'visible'>[];
  readonly lastPosition: number;
}

/** Returns id, slug and visibility of every product, and the last position. */
export async function readCatalogIndex(queries: Queries): Promise<CatalogIndex> {
  const products = await queries.selectFrom('products').select(['id', 'slug', 'visible']).execute();
  const last = await queries
    .selectFrom('products')
    .select((eb) => eb.fn.max('position').as('position'))
    .executeTakeFirst();
  return { products, lastPosition: last?.position ?? 0 };
}

/** Returns products by id. In a transaction, locks them until it ends, in ascending order of their ids. */
export async function lockStoredProducts(
  queries: Queries,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredProduct>> {
  // One statement for all ids: every transaction that locks products does it in the order of the database.
  if (isPostgres(queries))
    await sql`select id from products where id = any(${ids}) order by id for update`.execute(queries);
  const found = new Map<string, StoredProduct>();
  for (const batch of batchesOf(ids)) {
    const rows = await queries.selectFrom('products').selectAll().where('id', 'in', batch).execute();
    for (const row of rows) found.set(row.id, storedOf(row));
  }
  return found;
}

/** Returns the product with this id, visible or not, or `undefined`. */
export async function findStoredProduct(queries: Queries, id: string): Promise<StoredProduct | undefined> {
  const row = await queries.selectFrom('products').selectAll().where('id', '=', id).executeTakeFirst();
  return row && storedOf(row);
}

/** Inserts new products and updates existing ones, which the caller has locked. Increments the version. */
export async function writeProducts(
  queries: Queries,
  products: readonly Pick<StoredProduct, 'product' | 'position'>[],
  at: number,
): Promise<void> {
  for (const batch of batchesOf(products))
    await queries
      .insertInto('products')
      .values(
        batch.map(({ product, position }) => ({
          ...columnsOf(product),
          position,
          version: 1,
          updatedAt: at,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          category: eb.ref('excluded.category'),
          price: eb.ref('excluded.price'),
          taxRate: eb.ref('excluded.taxRate'),
          stock: eb.ref('excluded.stock'),
          requiresShipping: eb.ref('excluded.requiresShipping'),
          visible: eb.ref('excluded.visible'),
          image: eb.ref('excluded.image'),
          claveProdServ: eb.ref('excluded.claveProdServ'),
          claveUnidad: eb.ref('excluded.claveUnidad'),
          texts: eb.ref('excluded.texts'),
          searchText: eb.ref('excluded.searchText'),
          version: eb('products.version', '+', 1),
          updatedAt: eb.ref('excluded.updatedAt'),
        })),
      )
      .execute();
}

/** An entry of a product's history. */
export interface ProductEvent {
  readonly productId: string;
  readonly at: number;
  /** The admin user, or the command. */
  readonly by: string;
  readonly kind: 'created' | 'changed';
  /** The changed cells before and after, by column. */
  readonly detail: Readonly<Record<string, readonly [before: string, after: string]>>;
}

/** Adds entries to the history. Call it in the transaction of the changes. */
export async function recordProductEvents(queries: Queries, events: readonly ProductEvent[]): Promise<void> {
  for (const batch of batchesOf(events))
    await queries
      .insertInto('productEvents')
      .values(batch.map((event) => ({ ...event, detail: JSON.stringify(event.detail) })))
      .execute();
}

/** Returns the last entries of a product's history, newest first. */
export async function findProductEvents(
  queries: Queries,
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

/** Yields every product in display order, in batches. */
export async function* readAllProducts(queries: Queries): AsyncGenerator<readonly Product[]> {
  for (let after = 0; ; ) {
    const rows = await queries
      .selectFrom('products')
      .select([...PRODUCT_COLUMNS, 'position'])
      .where('position', '>', after)
      .orderBy('position')
      .limit(BATCH_SIZE)
      .execute();
    if (rows.length === 0) return;
    after = rows.at(-1)?.position ?? after;
    yield rows.map(({ position: _, ...columns }) => productOf(columns));
  }
}

function storedOf({
  position,
  version,
  searchText: _,
  updatedAt: __,
  ...columns
}: Selectable<ProductsTable>): StoredProduct {
  return { product: productOf(columns), position, version };
}

function* batchesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let first = 0; first < items.length; first += BATCH_SIZE) yield items.slice(first, first + BATCH_SIZE);
}
