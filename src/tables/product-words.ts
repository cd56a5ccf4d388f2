/** The words of the catalog, which correct typing errors in a search. */
import { setImmediate } from 'node:timers/promises';
import { distance } from 'fastest-levenshtein';
import { type Locale, textIn } from '../shop/rules/locale.js';
import { LOCALES } from '../shop/rules/locales.js';
import { type Product, stem } from '../shop/rules/product.js';
import { spelledWordsOf, withoutAccents } from '../shop/rules/search-name.js';
import type { Db } from './database.js';

/** A word of a product's name or category. */
export interface CatalogWord {
  /** Without accents and case. */
  readonly word: string;
  /** With accents, as a customer reads it. */
  readonly spelling: string;
}

type Named = Pick<Product, 'name' | 'category'>;

/** Inserts the words of names and categories that are new, as customers of each locale read them. Those of deleted products stay. */
export async function putProductWords(queries: Db, products: readonly Named[]): Promise<void> {
  const words: (CatalogWord & { readonly locale: Locale })[] = [];
  for (const locale of LOCALES) {
    const spellings = new Map<string, string>();
    for await (const batch of batchesOf(products)) {
      const texts = batch.flatMap(({ name, category }) => [textIn(name, locale), textIn(category.name, locale)]);
      for (const spelling of [...new Set(texts)].flatMap(spelledWordsOf))
        spellings.set(withoutAccents(spelling), spelling);
    }
    // Two transactions that insert the same words lock them in the same order.
    const ordered = [...spellings].sort(([one], [other]) => (one < other ? -1 : 1));
    words.push(...ordered.map(([word, spelling]) => ({ word, locale, spelling })));
  }
  for await (const batch of batchesOf(words))
    await queries
      .insertInto('catalogWords')
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

/** Words that are compared with a wrong one in all, and between two turns of other requests. */
const MAX_COMPARED = 50_000;
const COMPARED_AT_ONCE = 1_000;

/** Returns the words that a wrong word may mean, the nearest first. Singular and plural count as one word. */
export async function nearestWords(wrong: string, words: WordsByLength): Promise<readonly CatalogWord[]> {
  const singular = stem(wrong);
  const maxErrors = maxErrorsIn(singular);
  const lengths = Array.from({ length: 2 * maxErrors + 1 }, (_value, place) => singular.length - maxErrors + place);
  const like = lengths.flatMap((length) => words.get(length) ?? []).slice(0, MAX_COMPARED);
  const near: { readonly each: CatalogWord; readonly errors: number; readonly hasOtherStart: boolean }[] = [];
  for await (const batch of batchesOf(like, COMPARED_AT_ONCE))
    for (const each of batch) {
      const errors = errorsBetween(singular, each.singular);
      if (errors <= maxErrors) near.push({ each, errors, hasOtherStart: each.word[0] !== wrong[0] });
    }
  return near
    .toSorted(
      (a, b) =>
        a.errors - b.errors ||
        Number(a.hasOtherStart) - Number(b.hasOtherStart) ||
        (a.each.word < b.each.word ? -1 : 1),
    )
    .slice(0, MAX_CANDIDATES)
    .map(({ each }) => each);
}

/** Returns the wrong, missing and additional letters between two words. Two transposed letters are one error. */
function errorsBetween(wrong: string, word: string): number {
  const errors = distance(wrong, word);
  // A transposition counts as two there. Few words are that near.
  return errors < 2 || errors > MAX_ERRORS + 1 ? errors : errorsWithTranspositions(wrong, word);
}

/** The optimal string alignment distance. */
function errorsWithTranspositions(wrong: string, word: string): number {
  let before: number[] = [];
  let last = Array.from({ length: word.length + 1 }, (_value, place) => place);
  for (let row = 1; row <= wrong.length; row += 1) {
    const current = [row];
    for (let place = 1; place <= word.length; place += 1) {
      const isSame = wrong[row - 1] === word[place - 1];
      const isTransposed = wrong[row - 1] === word[place - 2] && wrong[row - 2] === word[place - 1];
      const replaced = (last[place - 1] ?? 0) + (isSame ? 0 : 1);
      const transposed = isTransposed ? (before[place - 2] ?? 0) + 1 : replaced;
      current.push(Math.min(replaced, transposed, (last[place] ?? 0) + 1, (current[place - 1] ?? 0) + 1));
    }
    [before, last] = [last, current];
  }
  return last[word.length] ?? 0;
}

/** By the length of their singulars. */
export type WordsByLength = ReadonlyMap<number, readonly (CatalogWord & { readonly singular: string })[]>;

interface KnownWords {
  readonly count: number;
  readonly words: WordsByLength;
}

const knownWords = new WeakMap<Db, Map<Locale | undefined, KnownWords>>();

const WORDS_AT_ONCE = 2_000;

/**
 * Returns the words of the catalog in a locale, or in all. They stay in memory until their number changes: words are inserted, and
 * never changed or deleted.
 */
export async function findCatalogWords(queries: Db, locale?: Locale): Promise<WordsByLength> {
  const all = queries.selectFrom('catalogWords').where('locale', 'in', locale ? [locale] : LOCALES);
  const row = await all.select(({ fn }) => fn.countAll<number | string>().as('count')).executeTakeFirstOrThrow();
  const count = Number(row.count);
  const known = knownWords.get(queries) ?? new Map<Locale | undefined, KnownWords>();
  knownWords.set(queries, known);
  const found = known.get(locale);
  if (found?.count === count) return found.words;
  const words = new Map<number, (CatalogWord & { readonly singular: string })[]>();
  for (let offset = 0; offset < count; offset += WORDS_AT_ONCE) {
    const rows = await all
      .select(['word', 'spelling'])
      .orderBy('locale')
      .orderBy('word')
      .limit(WORDS_AT_ONCE)
      .offset(offset)
      .execute();
    for (const each of rows) {
      const singular = stem(each.word);
      const others = words.get(singular.length) ?? [];
      others.push({ ...each, singular });
      words.set(singular.length, others);
    }
    await setImmediate();
  }
  known.set(locale, { count, words });
  return words;
}

/** Rows per statement. SQLite accepts 32,766 parameters, PostgreSQL 65,535. */
const BATCH_SIZE = 500;

/** Returns the rows in parts that one statement may have. Other requests run between two parts. */
export async function* batchesOf<T>(items: readonly T[], size = BATCH_SIZE): AsyncGenerator<readonly T[]> {
  for (let first = 0; first < items.length; first += size) {
    if (first > 0) await setImmediate();
    yield items.slice(first, first + size);
  }
}
