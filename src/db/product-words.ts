/** The words of the catalog, which correct typing errors in a search. */
import { setImmediate } from 'node:timers/promises';
import { distance } from 'fastest-levenshtein';
import { type SqlBool, sql } from 'kysely';
import { PLURAL_LENGTH, type Product, stem } from '../shop/rules/product.js';
import { spelledWordsOf, withoutAccents } from '../shop/rules/search-name.js';
import type { Db } from './database.js';

/** A word of a product's name or category. */
export interface CatalogWord {
  /** Without accents and case. */
  readonly word: string;
  /** With accents, as a customer reads it. */
  readonly spelling: string;
}

/** Returns the words of the names and categories of products, in all locales. */
export function catalogWordsOf(products: readonly Pick<Product, 'name' | 'category'>[]): readonly CatalogWord[] {
  const texts = products.flatMap(({ name, category }) => [...Object.values(name), ...Object.values(category.name)]);
  const words = texts.flatMap(spelledWordsOf).map((spelling) => [withoutAccents(spelling), spelling] as const);
  return Array.from(new Map(words), ([word, spelling]) => ({ word, spelling }));
}

/** Inserts the words that are new. Those of deleted products stay. */
export async function putProductWords(queries: Db, products: Parameters<typeof catalogWordsOf>[0]): Promise<void> {
  // Two transactions that insert the same words lock them in the same order.
  const words = catalogWordsOf(products).toSorted((one, other) => (one.word < other.word ? -1 : 1));
  for await (const batch of batchesOf(words))
    await queries
      .insertInto('productWords')
      .values(batch)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Wrong letters in a word. */
const MAX_ERRORS = 2;

function maxErrorsIn({ length }: string): number {
  if (length < 4) return 0;
  return length < 6 ? 1 : MAX_ERRORS;
}

const MAX_CANDIDATES = 3;

/** Returns the words that a wrong word may mean, the nearest first. Singular and plural count as one word. */
export function nearestWords(wrong: string, words: readonly CatalogWord[]): readonly CatalogWord[] {
  const singular = stem(wrong);
  return words
    .map((each) => ({ each, errors: distance(singular, stem(each.word)), hasOtherStart: each.word[0] !== wrong[0] }))
    .filter(({ errors }) => errors <= maxErrorsIn(singular))
    .toSorted((a, b) => a.errors - b.errors || Number(a.hasOtherStart) - Number(b.hasOtherStart))
    .slice(0, MAX_CANDIDATES)
    .map(({ each }) => each);
}

/** Returns the words of the catalog that are as long as one of these, except for errors and a plural ending. */
export async function findWordsLike(queries: Db, words: readonly string[]): Promise<readonly CatalogWord[]> {
  const lengths = words.map(({ length }) => length);
  const [min, max] = [Math.min(...lengths) - MAX_ERRORS, Math.max(...lengths) + MAX_ERRORS + PLURAL_LENGTH];
  if (words.length === 0) return [];
  return queries
    .selectFrom('productWords')
    .selectAll()
    .where(sql<SqlBool>`length(word) between ${min} and ${max}`)
    .execute();
}

/** Rows per statement. SQLite accepts 32,766 parameters, PostgreSQL 65,535. */
const BATCH_SIZE = 500;

/** Returns the rows in parts that one statement may have. Other requests run between two parts. */
export async function* batchesOf<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let first = 0; first < items.length; first += BATCH_SIZE) {
    if (first > 0) await setImmediate();
    yield items.slice(first, first + BATCH_SIZE);
  }
}
