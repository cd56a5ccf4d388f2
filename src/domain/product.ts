import type { Texts } from './locale.js';
import type { Centavos } from './money.js';

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

/** A catalog search. An empty text without a category matches every product. */
export interface CatalogQuery {
  /** Search words as typed. */
  readonly text: string;
  readonly category?: string;
}

/** The products on sale. Lists are in display order. */
export interface Catalog {
  readonly products: readonly Product[];
  /** The categories that have products. */
  readonly categories: readonly Category[];
  /** Returns the product with this id, or `undefined` if it is not on sale. */
  findProduct(id: string): Product | undefined;
  /** Returns the product of `/products/:slug`, or `undefined`. */
  findProductBySlug(slug: string): Product | undefined;
  /** Returns the products that match all search words by prefix, in all locales, without regard to accents and case. */
  search(query: CatalogQuery): readonly Product[];
}
