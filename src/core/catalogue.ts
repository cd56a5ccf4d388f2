import type { Centavos } from './money.js';
import { products } from './products.js';

/** The languages of the shop; the first is the default. */
export const LOCALES = ['es-MX', 'en'] as const;
export type Locale = (typeof LOCALES)[number];

/** What the shop sells. Prices are in centavos; `image` is a path below `public/`. */
export interface Product {
  readonly id: string;
  readonly slug: string;
  readonly category: string;
  readonly price: Centavos;
  readonly image: string;
  readonly name: Readonly<Record<Locale, string>>;
  readonly description: Readonly<Record<Locale, string>>;
  /** What the picture shows, for those who do not see it. */
  readonly imageAlt: Readonly<Record<Locale, string>>;
}

const byId = new Map(products.map((product) => [product.id, product]));
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
