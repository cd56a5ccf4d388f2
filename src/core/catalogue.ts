import type { Centavos } from './money.js';
import { categories, products as rows } from './products.js';

/** The languages of the shop; the first is the default. */
export const LOCALES = ['es-MX', 'en'] as const;
export type Locale = (typeof LOCALES)[number];

export type CategoryId = (typeof categories)[number]['id'];

/** What the shop sells. Prices are in centavos; `image` is a path below `public/`. */
export interface Product {
  readonly id: string;
  readonly slug: string;
  readonly category: CategoryId;
  readonly price: Centavos;
  readonly image: string;
  readonly name: Readonly<Record<Locale, string>>;
  readonly description: Readonly<Record<Locale, string>>;
  /** What the picture shows, for those who do not see it. */
  readonly imageAlt: Readonly<Record<Locale, string>>;
}

/** What a visitor is looking for; nothing at all means everything. */
export interface Wish {
  /** Words as they were typed. */
  readonly text: string;
  readonly category?: CategoryId;
}

const SHORTEST_PLURAL = 4;

const products: readonly Product[] = rows;
const byId = new Map(products.map((product) => [product.id, product]));
const filled = categories.filter(({ id }) => products.some((product) => product.category === id));
const bySlug = new Map(products.map((product) => [product.slug, product]));

/** Everything on sale, in shop-window order. */
export function allProducts(): readonly Product[] {
  return products;
}

/** The product with this id, or `undefined` when it is not on sale. */
export function findProduct(id: string): Product | undefined {
  return byId.get(id);
}

/** The product behind `/products/:slug`, or `undefined`. */
export function findProductBySlug(slug: string): Product | undefined {
  return bySlug.get(slug);
}

/** The shelves that hold something, in shop-window order. */
export function allCategories(): readonly (typeof categories)[number][] {
  return filled;
}

/**
 * The products that hold every word of the wish, or one that begins with it, in any language of the shop, whatever the
 * accents and capitals; in shop-window order.
 */
export function searchProducts({ text, category }: Wish): readonly Product[] {
  const words = wordsOf(text).map(stem);
  return products.filter(
    (product) =>
      (category === undefined || product.category === category) &&
      words.every((word) => searchText.get(product)?.includes(` ${word}`)),
  );
}

const searchText = new Map(products.map((product) => [product, ` ${wordsOf(textOf(product)).join(' ')}`]));

function textOf({ category, name, description, imageAlt }: Product): string {
  const shelf = categories.find(({ id }) => id === category)?.name;
  return [name, description, imageAlt, shelf].flatMap((texts) => Object.values(texts ?? {})).join(' ');
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
