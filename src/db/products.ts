import type { Selectable } from 'kysely';
import type { Texts } from '../domain/locale.js';
import {
  type CatalogQuery,
  type Category,
  type OfferedProduct,
  type Product,
  searchTerms,
  searchTextOf,
} from '../domain/product.js';
import type { Queries } from './database.js';
import { isPostgres } from './dialects.js';
import type { ProductsTable } from './schema.js';
import { atLeastZero, leftColumn } from './stock.js';

/** Products on one page of the catalog. */
export const PAGE_SIZE = 24;

/** The columns that `productOf` reads. */
export const PRODUCT_COLUMNS = [
  'products.id',
  'products.slug',
  'products.category',
  'products.price',
  'products.taxRate',
  'products.stock',
  'products.requiresShipping',
  'products.visible',
  'products.image',
  'products.claveProdServ',
  'products.claveUnidad',
  'products.texts',
] as const;

export type ProductRow = Omit<Selectable<ProductsTable>, 'position' | 'searchText' | 'version' | 'updatedAt'>;

/** The texts of a product as stored: one JSON object. */
interface StoredTexts {
  readonly name: Texts;
  readonly description: Texts;
  readonly imageAlt: Texts;
  readonly category: Texts;
}

/** Returns the visible product with this id, or `undefined`. `at` determines the active reservations. */
export async function findProduct(
  queries: Queries,
  id: string,
  at: number,
): Promise<OfferedProduct | undefined> {
  const row = await offeredProducts(queries, at).where('id', '=', id).executeTakeFirst();
  return row && offeredProductOf(row);
}

/** Returns the names of these products by id, visible or not. */
export async function findProductNames(
  queries: Queries,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Texts>> {
  if (ids.length === 0) return new Map();
  const rows = await queries
    .selectFrom('products')
    .select(['id', 'texts'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, texts }) => [id, (JSON.parse(texts) as StoredTexts).name]));
}

/** Returns the visible product of `/products/:slug`, or `undefined`. */
export async function findProductBySlug(
  queries: Queries,
  slug: string,
  at: number,
): Promise<OfferedProduct | undefined> {
  const row = await offeredProducts(queries, at).where('slug', '=', slug).executeTakeFirst();
  return row && offeredProductOf(row);
}

/** One page of a search, and the number of all its products. */
export interface ProductPage {
  readonly products: readonly OfferedProduct[];
  readonly count: number;
}

/**
 * Returns the products that match all words of the query by prefix, in all locales, without regard to accents and
 * case. In display order, {@link PAGE_SIZE} per page; the first page is 1.
 */
export async function searchProducts(
  queries: Queries,
  { text, category, withHidden = false }: CatalogQuery,
  { page, at }: { readonly page: number; readonly at: number },
): Promise<ProductPage> {
  let matching = offeredProducts(queries, at, withHidden);
  if (category !== undefined) matching = matching.where('category', '=', category);
  // `like` of SQLite ignores case, which makes it ten times slower.
  const find = isPostgres(queries) ? 'strpos' : 'instr';
  for (const term of searchTerms(text))
    matching = matching.where((eb) => eb(eb.fn<number>(find, ['searchText', eb.val(term)]), '>', 0));
  const { count } = await matching
    .clearSelect()
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  const rows = await matching
    .orderBy('position')
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
    .execute();
  return { products: rows.map(offeredProductOf), count: Number(count) };
}

/** Returns the categories with visible products, in the order of their first product. */
export async function findCategories(queries: Queries): Promise<readonly Category[]> {
  const rows = await queries
    .selectFrom('products')
    .innerJoin(
      (eb) =>
        eb
          .selectFrom('products')
          .select((inner) => inner.fn.min('position').as('first'))
          .where('visible', '=', 1)
          .groupBy('category')
          .as('categories'),
      (join) => join.onRef('categories.first', '=', 'products.position'),
    )
    .select(['category', 'texts'])
    .orderBy('position')
    .execute();
  return rows.map(({ category, texts }) => ({
    id: category,
    name: (JSON.parse(texts) as StoredTexts).category,
  }));
}

/** Returns the picture paths of all visible products. */
export function findPictures(queries: Queries): Promise<readonly Pick<Product, 'id' | 'image'>[]> {
  return queries
    .selectFrom('products')
    .select(['id', 'image'])
    .where('visible', '=', 1)
    .orderBy('position')
    .execute();
}

/** Returns whether the catalog holds any product, visible or not. */
export async function hasProducts(queries: Queries): Promise<boolean> {
  return (await queries.selectFrom('products').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export function productOf(row: ProductRow): Product {
  const { texts, category, requiresShipping, visible, ...columns } = row;
  const { category: categoryName, ...others } = JSON.parse(texts) as StoredTexts;
  return {
    ...columns,
    ...others,
    category: { id: category, name: categoryName },
    requiresShipping: requiresShipping === 1,
    visible: visible === 1,
  };
}

function offeredProductOf({ left, ...row }: ProductRow & { readonly left: number | null }): OfferedProduct {
  return { ...productOf(row), left: atLeastZero(left) };
}

function offeredProducts(queries: Queries, at: number, withHidden = false) {
  const products = queries.selectFrom('products').select(PRODUCT_COLUMNS).select(leftColumn(at).as('left'));
  return withHidden ? products : products.where('visible', '=', 1);
}

/** Returns the columns of a product except position, version and time. */
export function columnsOf(product: Product): ProductRow & { readonly searchText: string } {
  const { category, name, description, imageAlt, ...columns } = product;
  const texts: StoredTexts = { name, description, imageAlt, category: category.name };
  return {
    ...columns,
    category: category.id,
    requiresShipping: product.requiresShipping ? 1 : 0,
    visible: product.visible ? 1 : 0,
    texts: JSON.stringify(texts),
    searchText: searchTextOf(product),
  };
}
