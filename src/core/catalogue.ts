import type { Centavos } from './money.js';
import { categories, products } from './products.js';

/** The languages of the shop; the first is the default. */
export const LOCALES = ['es-MX', 'en'] as const;
export type Locale = (typeof LOCALES)[number];

/** What is said in the shop's first language, and in others where somebody translated it. */
export type Texts = Readonly<Record<(typeof LOCALES)[0], string>> & Readonly<Partial<Record<Locale, string>>>;

/** The text in this language, else in the first. */
export function textIn(texts: Texts, locale: Locale): string {
  return texts[locale] ?? texts[LOCALES[0]];
}

/** A shelf of the shop. */
export interface Category {
  readonly id: string;
  readonly name: Texts;
}

/** What the shop sells. Prices are in centavos; `image` is a path below `public/`. */
export interface Product {
  readonly id: string;
  readonly slug: string;
  /** The id of the shelf it stands on. */
  readonly category: string;
  readonly price: Centavos;
  readonly image: string;
  readonly name: Texts;
  readonly description: Texts;
  /** What the picture shows, for those who do not see it. */
  readonly imageAlt: Texts;
}

/** Everything that a shop sells, in shop-window order. */
export interface Goods {
  readonly categories: readonly Category[];
  readonly products: readonly Product[];
}

/** What a visitor is looking for; nothing at all means everything. */
export interface Wish {
  /** Words as they were typed. */
  readonly text: string;
  readonly category?: string;
}

const SHORTEST_PLURAL = 4;

/** The goods on sale, made ready to be found. */
interface Stall extends Goods {
  readonly byId: ReadonlyMap<string, Product>;
  readonly bySlug: ReadonlyMap<string, Product>;
  readonly searchText: ReadonlyMap<Product, string>;
}

let stall = setUp({ categories, products });

/**
 * Puts these goods on sale in place of all others, at once; orders keep what they promised. Throws, and changes nothing,
 * when two products share an id or a slug, one stands on no shelf, or there is none.
 */
export function sell(goods: Goods): void {
  const problems = problemsOf(goods);
  if (problems.length > 0) throw new Error(`these goods cannot be sold: ${problems.join('; ')}`);
  stall = setUp(goods);
}

/** Everything on sale, in shop-window order. */
export function allProducts(): readonly Product[] {
  return stall.products;
}

/** The product with this id, or `undefined` when it is not on sale. */
export function findProduct(id: string): Product | undefined {
  return stall.byId.get(id);
}

/** The product behind `/products/:slug`, or `undefined`. */
export function findProductBySlug(slug: string): Product | undefined {
  return stall.bySlug.get(slug);
}

/** The shelves that hold something, in shop-window order. */
export function allCategories(): readonly Category[] {
  return stall.categories;
}

/**
 * The products that hold every word of the wish, or one that begins with it, in any language of the shop, whatever the
 * accents and capitals; in shop-window order.
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

/** Who looks for `tazas` or `mugs` means one too. */
function stem(word: string): string {
  return word.length < SHORTEST_PLURAL ? word : word.replace(/e?s$/, '');
}
