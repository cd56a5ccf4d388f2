import type { Selectable } from 'kysely';
import type { Texts } from '../shop/rules/locale.js';
import { type Category, groupIdOf, isProductKey, type OfferedProduct, type Product } from '../shop/rules/product.js';
import type { Db } from './database.js';
import type { ProductsTable } from './schema.js';
import { atLeastZero, leftColumn } from './stock.js';

/** The texts of a product as stored: one JSON object. */
export interface StoredTexts {
  readonly name: Texts;
  readonly description: Texts;
  readonly imageAlt: Texts;
  readonly category: Texts;
  readonly variant?: Product['variant'];
}

/** Returns the visible product with this id or slug, or `undefined`. `at` determines the active reservations. */
export async function findProduct(
  queries: Db,
  column: 'id' | 'slug',
  value: string,
  at: number,
): Promise<OfferedProduct | undefined> {
  // PostgreSQL refuses some texts, such as a null character.
  if (!isProductKey(value)) return undefined;
  const row = await visibleProducts(queries, at).where(column, '=', value).executeTakeFirst();
  return row && offeredProductOf(row);
}

/** Returns the names of these products by id, visible or not. */
export async function findProductNames(queries: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Texts>> {
  if (ids.length === 0) return new Map();
  const rows = await queries
    .selectFrom('products')
    .select(['id', 'texts'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, texts }) => [id, (JSON.parse(texts) as StoredTexts).name]));
}

/** Returns those of the texts that are ids or slugs of products, visible or not. */
export async function findProductKeys(queries: Db, texts: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await queries
    .selectFrom('products')
    .select(['id', 'slug'])
    .where((eb) => eb.or([eb('id', 'in', texts), eb('slug', 'in', texts)]))
    .execute();
  const keys = rows.flatMap(({ id, slug }) => [id, slug]);
  return new Set(keys.filter((key) => texts.includes(key)));
}

/** Returns the visible products of these products' groups by group id, the main one first. No statement without groups. */
export async function findGroups(
  queries: Db,
  products: readonly Product[],
  at: number,
): Promise<ReadonlyMap<string, readonly OfferedProduct[]>> {
  const groups = new Map<string, OfferedProduct[]>();
  for (const product of products) if (product.variant) groups.set(groupIdOf(product), []);
  const ids = [...groups.keys()];
  if (ids.length === 0) return groups;
  const rows = await visibleProducts(queries, at)
    .where((eb) => eb.or([eb('id', 'in', ids), eb('variantOf', 'in', ids)]))
    .orderBy((eb) => eb('variantOf', 'is not', null))
    .orderBy('position')
    .execute();
  for (const product of rows.map(offeredProductOf)) groups.get(groupIdOf(product))?.push(product);
  return groups;
}

const SUGGESTIONS = 4;

/** Returns the first products in display order that are not sold out. Of a group it is the main product. */
export async function findSuggestions(queries: Db, at: number): Promise<readonly OfferedProduct[]> {
  const rows = await visibleProducts(queries, at)
    .where('variantOf', 'is', null)
    .where((eb) => eb.or([eb('stock', 'is', null), eb(leftColumn(at), '>', 0)]))
    .orderBy('position')
    .limit(SUGGESTIONS)
    .execute();
  return rows.map(offeredProductOf);
}

/** Returns the categories with visible products, in the order of their first product. */
export async function findCategories(queries: Db): Promise<readonly Category[]> {
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

/** Returns whether the catalog holds any product, visible or not. */
export async function hasProducts(queries: Db): Promise<boolean> {
  return (await queries.selectFrom('products').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export function productOf(row: Selectable<ProductsTable>): Product {
  const {
    position: _position,
    version: _version,
    updatedAt: _updatedAt,
    searchText: _searchText,
    weightG: weight,
    texts,
    ...columns
  } = row;
  const { category, ...others } = JSON.parse(texts) as StoredTexts;
  return {
    ...columns,
    ...others,
    weight,
    category: { id: row.category, name: category },
    // A program of the merchant may write another price.
    priceBefore: row.priceBefore !== null && row.priceBefore > row.price ? row.priceBefore : null,
    requiresShipping: row.requiresShipping === 1,
    visible: row.visible === 1,
    featured: row.featured === 1,
  };
}

export function offeredProducts(queries: Db, at: number) {
  return queries.selectFrom('products').selectAll('products').select(leftColumn(at).as('left'));
}

function visibleProducts(queries: Db, at: number) {
  return offeredProducts(queries, at).where('visible', '=', 1);
}

export function offeredProductOf({
  left,
  ...row
}: Selectable<ProductsTable> & { readonly left: number | null }): OfferedProduct {
  return { ...productOf(row), left: atLeastZero(left) };
}
