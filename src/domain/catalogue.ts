import type { Centavos } from './money.js';
import { categories, products } from './products.js';

/** The languages of the shop; the first is the default. */
export const LOCALES = ['es-MX', 'en'] as const;
export type Locale = (typeof LOCALES)[number];

/** A text in the default locale, and optionally in the others. */
export type Texts = Readonly<Record<(typeof LOCALES)[0], string>> & Readonly<Partial<Record<Locale, string>>>;

/** Returns the text in this locale, or in the default locale if it is not translated. */
export function textIn(texts: Texts, locale: Locale): string {
  return texts[locale] ?? texts[LOCALES[0]];
}

/** A category of the catalog. */
export interface Category {
  readonly id: string;
  readonly name: Texts;
}

/** A product. The price is in centavos; `image` is a path below `public/`. */
export interface Product {
  readonly id: string;
  readonly slug: string;
  /** The id of the product's category. */
  readonly category: string;
  readonly price: Centavos;
  readonly image: string;
  readonly name: Texts;
  readonly description: Texts;
  /** Alternative text of the image. */
  readonly imageAlt: Texts;
}

/** A whole catalog, in display order. */
export interface Goods {
  readonly categories: readonly Category[];
  readonly products: readonly Product[];
}

/** A catalog search. An empty text without a category matches every product. */
export interface Wish {
  /** Search words as typed. */
  readonly text: string;
  readonly category?: string;
}

const SHORTEST_PLURAL = 4;

/** The current catalog with its lookup tables and search index. */
interface Stall extends Goods {
  readonly byId: ReadonlyMap<string, Product>;
  readonly bySlug: ReadonlyMap<string, Product>;
  readonly searchText: ReadonlyMap<Product, string>;
}

let stall = setUp({ categories, products });

/**
 * Replaces the catalog at once. Existing orders do not change. Changes nothing and throws if two products share an id or
 * a slug, a category is unknown, or the list is empty.
 */
export function sell(goods: Goods): void {
  const problems = problemsOf(goods);
  if (problems.length > 0) throw new Error(`these goods cannot be sold: ${problems.join('; ')}`);
  stall = setUp(goods);
}

/** Returns all products, in display order. */
export function allProducts(): readonly Product[] {
  return stall.products;
}

/** Returns the product with this id, or `undefined` if it is not on sale. */
export function findProduct(id: string): Product | undefined {
  return stall.byId.get(id);
}

/** Returns the product of `/products/:slug`, or `undefined`. */
export function findProductBySlug(slug: string): Product | undefined {
  return stall.bySlug.get(slug);
}

/** Returns the categories that have products, in display order. */
export function allCategories(): readonly Category[] {
  return stall.categories;
}

/**
 * Returns the products that match all search words by prefix, in display order. Searches all locales and ignores accents
 * and case.
 */
export function searchProducts({ text, category }: Wish): readonly Product[] {
  const words = wordsOf(text).map(stem);
  return stall.products.filter(
    (product) =>
      (category === undefined || product.category === category) &&
      words.every((word) => stall.searchText.get(product)?.includes(` ${word}`)),
  );
}

function setUp({ categories, products }: Goods): Stall {
  const shelves = new Map(categories.map((category) => [category.id, category]));
  const textOf = (product: Product) =>
    ` ${wordsOf(wordsAbout(product, shelves.get(product.category))).join(' ')}`;
  return {
    products,
    categories: categories.filter(({ id }) => products.some((product) => product.category === id)),
    byId: new Map(products.map((product) => [product.id, product])),
    bySlug: new Map(products.map((product) => [product.slug, product])),
    searchText: new Map(products.map((product) => [product, textOf(product)])),
  };
}

function wordsAbout({ name, description, imageAlt }: Product, shelf: Category | undefined): string {
  return [name, description, imageAlt, shelf?.name].flatMap((texts) => Object.values(texts ?? {})).join(' ');
}

function problemsOf({ categories, products }: Goods): readonly string[] {
  const shelves = new Set(categories.map(({ id }) => id));
  return [
    ...(products.length === 0 ? ['there are none'] : []),
    ...repeated(products.map(({ id }) => id)).map((id) => `two have the id ${id}`),
    ...repeated(products.map(({ slug }) => slug)).map((slug) => `two have the slug ${slug}`),
    ...products
      .filter(({ category }) => !shelves.has(category))
      .map(({ id, category }) => `${id} stands on no shelf: ${category}`),
  ];
}

function repeated(names: readonly string[]): readonly string[] {
  return names.filter((name, place) => names.indexOf(name) !== place);
}

/** `Café de olla, ¿no?` → `cafe de olla no`. */
function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

/** Removes a plural ending, so that `tazas` or `mugs` also matches the singular. */
function stem(word: string): string {
  return word.length < SHORTEST_PLURAL ? word : word.replace(/e?s$/, '');
}
