/** The pages of the catalog, and the search for products. */
import { setImmediate } from 'node:timers/promises';
import { isPostgres } from '@tianguis/payments/database';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Locale } from '../shop/rules/locale.js';
import {
  type CatalogQuery,
  END_OF_NAME,
  groupIdOf,
  type OfferedProduct,
  type SearchTerm,
  searchTerms,
} from '../shop/rules/product.js';
import { withoutAccents } from '../shop/rules/search-name.js';
import { inCorrectionTurn } from './correction-turns.js';
import type { Db } from './database.js';
import { type CatalogWord, findCatalogWords, nearestWords } from './product-words.js';
import { offeredProductOf, offeredProducts } from './products.js';
import { reservedPieces } from './stock.js';

export const PAGE_SIZE = 24;

export interface ProductSearchResult {
  readonly products: readonly OfferedProduct[];
  /** Products and groups on all pages. Zero on a page after the last. */
  readonly count: number;
}

/**
 * Returns the products that match all words of the query by prefix. The search covers all locales and ignores accents and
 * case. Sold-out products are last. A hit in the name precedes one in another text. {@link PAGE_SIZE} per page. The first
 * page is 1. Of a group it returns one product, an available one if there is any.
 */
export async function searchProducts(
  queries: Db,
  query: CatalogQuery,
  { page, at }: { readonly page: number; readonly at: number },
): Promise<ProductSearchResult> {
  const group = sql<string>`coalesce(variant_of, id)`;
  const chosen = await queries
    .selectFrom('products')
    .leftJoin(reservedPieces(queries, at), 'reserved.productId', 'products.id')
    .where(matches(queries, query))
    .groupBy(group)
    .select([group.as('id'), sql<number | string>`count(*) over ()`.as('count')])
    .orderBy(orderOf(queries, query))
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
    .execute();
  if (chosen.length === 0) return { products: [], count: 0 };
  const ids = chosen.map(({ id }) => id);
  const rows = await offeredProducts(queries, at)
    .leftJoin(reservedPieces(queries, at), 'reserved.productId', 'products.id')
    .where((eb) => eb.or([eb('id', 'in', ids), eb('variantOf', 'in', ids)]))
    .where(matches(queries, query))
    .orderBy((eb) => eb('variantOf', 'is not', null))
    .orderBy('position')
    .execute();
  const found = rows.map(offeredProductOf);
  const products = ids.flatMap((id) => {
    const group = found.filter((each) => groupIdOf(each) === id);
    return group.find(({ left }) => left !== 0) ?? group.slice(0, 1);
  });
  return { products, count: Number(chosen[0]?.count) };
}

/** What a search found, and the query that found it. */
export interface CorrectedSearch extends ProductSearchResult {
  readonly query: CatalogQuery;
  /** The typed words that are in no text and resemble no word. The query is without them. */
  readonly leftOut: readonly string[];
}

/**
 * Searches as {@link searchProducts}. If no product has the text, its typing errors are corrected by words in the language of the
 * locale, and words that fit nothing are left out.
 */
export async function searchCorrected(
  queries: Db,
  query: CatalogQuery,
  { locale, ...options }: { readonly page: number; readonly at: number; readonly locale: Locale },
): Promise<CorrectedSearch> {
  const result = await searchProducts(queries, query, options);
  const asked = { query, leftOut: [], ...result };
  if (result.count > 0 || query.text === '') return asked;
  const { text, leftOut = [] } = (await inCorrectionTurn(() => correctTerms(queries, query, locale))) ?? {};
  if (text === undefined) return asked;
  const corrected = { ...query, text };
  const found = await searchProducts(queries, corrected, options);
  return found.count > 0 ? { query: corrected, leftOut, ...found } : asked;
}

const IS_AVAILABLE = sql`(stock is null or stock > coalesce(pieces, 0))`;

/** The condition that a product matches a query. */
function matches(queries: Db, { text, category, ...filters }: CatalogQuery) {
  const conditions = [sql`visible = 1`];
  if (category !== undefined) conditions.push(sql`category = ${category}`);
  if (filters.min !== undefined) conditions.push(sql`price >= ${filters.min}`);
  if (filters.max !== undefined) conditions.push(sql`price <= ${filters.max}`);
  if (filters.isAvailable) conditions.push(IS_AVAILABLE);
  conditions.push(...termConditions(queries, text));
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

/** The conditions that a product has each term of a search. */
export function termConditions(queries: Db, text: string): readonly RawBuilder<unknown>[] {
  return searchTerms(text).map((term) => hasTerm(term, (word) => sql`${placeOf(queries, word)} > 0`));
}

/** The condition that a product has a term. `isHit` is that of the beginning of one word. */
function hasTerm({ ways }: SearchTerm, isHit: (word: string) => RawBuilder<unknown>): RawBuilder<unknown> {
  const all = ways.map((words) => sql`(${sql.join(words.map(isHit), sql` and `)})`);
  return sql`(${sql.join(all, sql` or `)})`;
}

/** The number of terms of a search that are not in the name. It has no element for a search without words. */
export function missesInName(queries: Db, text: string): readonly RawBuilder<unknown>[] {
  const nameEnd = placeOf(queries, END_OF_NAME);
  const isInName = (word: string) => sql`${placeOf(queries, word)} between 1 and ${nameEnd}`;
  const misses = searchTerms(text).map((term) => sql`case when ${hasTerm(term, isInName)} then 0 else 1 end`);
  return misses.length > 0 ? [sql`(${sql.join(misses, sql` + `)})`] : [];
}

/** The place of a term in the search text. `like` of SQLite ignores case, which makes it ten times slower. */
function placeOf(queries: Db, term: string): RawBuilder<unknown> {
  return sql`${sql.raw(isPostgres(queries) ? 'strpos' : 'instr')}(search_text, ${term})`;
}

/** The order of groups. Their price is the lowest one that is available, as the catalog shows it. */
function orderOf(queries: Db, { text, sort }: CatalogQuery): RawBuilder<unknown> {
  const relevance = missesInName(queries, text).map((misses) => sql`min(${misses})`);
  const soldOut = sql`min(case when ${IS_AVAILABLE} then 0 else 1 end)`;
  const price = sql`coalesce(min(case when ${IS_AVAILABLE} then price end), min(price))`;
  const sorts = {
    price_asc: [price],
    price_desc: [sql`${price} desc`],
    newest: [sql`max(position) desc`],
    merchant: [...relevance, sql`max(featured) desc`],
  };
  return sql.join([soldOut, ...sorts[sort ?? 'merchant'], sql`min(position)`]);
}

const MAX_CORRECTIONS = 3;

/**
 * Returns the text of a search that found nothing with its typing errors corrected by the words of the catalog, and without the
 * words that fit nothing, `leftOut`. `undefined`: nothing is corrected, or nothing is left. At most three words are corrected.
 * With a locale, by words of its language only.
 */
export async function correctTerms(queries: Db, { text, ...filters }: CatalogQuery, locale?: Locale) {
  const typed = searchTerms(text);
  const isAlone = typed.length === 1 && Object.values(filters).every((filter) => filter === undefined);
  // A single word without filters was found in no text.
  const found = isAlone ? new Set<string>() : await findFoundTerms(queries, typed);
  const wrong = typed.filter(({ spelling }) => !found.has(spelling));
  // Each wrong word reads the text of all products again. A number with its unit is no typing error.
  const corrected = wrong.filter(({ ways }) => ways.length === 1).slice(0, MAX_CORRECTIONS);
  const words = await findCatalogWords(queries, locale);
  const corrections = new Map<string, string | undefined>();
  for (const { spelling } of corrected) {
    const candidates = await nearestWords(withoutAccents(spelling), words);
    corrections.set(spelling, await findOffered(queries, candidates));
  }
  const meant = typed.map(({ spelling }) => (found.has(spelling) ? spelling : corrections.get(spelling)));
  const kept = meant.filter((each) => each !== undefined);
  const leftOut = typed.flatMap(({ spelling }, place) => (meant[place] === undefined ? [spelling] : []));
  const isChanged = kept.length > 0 && meant.some((each, place) => each !== typed[place]?.spelling);
  return { text: isChanged ? kept.join(' ') : undefined, leftOut };
}

/** Returns the spelling of the first of these words that a visible product has. */
async function findOffered(queries: Db, words: readonly CatalogWord[]): Promise<string | undefined> {
  for (const { spelling } of words)
    if ((await findFoundTerms(queries, searchTerms(spelling))).has(spelling)) return spelling;
  return undefined;
}

/** Returns the spellings of those terms that a visible product has. Other requests run between two terms. */
async function findFoundTerms(queries: Db, terms: readonly SearchTerm[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const term of terms) {
    const isHit = sql<SqlBool>`${hasTerm(term, (word) => sql`${placeOf(queries, word)} > 0`)}`;
    const hits = queries.selectFrom('products').select('id').where('visible', '=', 1).where(isHit).limit(1);
    if (await hits.executeTakeFirst()) found.add(term.spelling);
    await setImmediate();
  }
  return found;
}
