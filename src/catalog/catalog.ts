import type { Catalog, Category, Product } from '../domain/product.js';

/** Products and categories, in display order. */
export interface CatalogData {
  readonly categories: readonly Category[];
  readonly products: readonly Product[];
}

const SHORTEST_PLURAL = 4;

/** Creates a catalog. Throws if it is empty, if two products share an id or a slug, or if a category is unknown. */
export function createCatalog({ categories, products }: CatalogData): Catalog {
  const problems = problemsOf({ categories, products });
  if (problems.length > 0) throw new Error(`the catalog cannot be used: ${problems.join('; ')}`);
  const byId = new Map(products.map((product) => [product.id, product]));
  const bySlug = new Map(products.map((product) => [product.slug, product]));
  const categoryById = new Map(categories.map((category) => [category.id, category]));
  const searchText = new Map(
    products.map((product) => [product, searchTextOf(product, categoryById.get(product.category))]),
  );
  return {
    products,
    categories: categories.filter(({ id }) => products.some((product) => product.category === id)),
    findProduct: (id) => byId.get(id),
    findProductBySlug: (slug) => bySlug.get(slug),
    search({ text, category }) {
      const words = wordsOf(text).map(stem);
      return products.filter(
        (product) =>
          (category === undefined || product.category === category) &&
          words.every((word) => searchText.get(product)?.includes(` ${word}`)),
      );
    },
  };
}

function searchTextOf({ name, description, imageAlt }: Product, category: Category | undefined): string {
  const texts = [name, description, imageAlt, category?.name].flatMap((each) => Object.values(each ?? {}));
  return ` ${wordsOf(texts.join(' ')).join(' ')}`;
}

function problemsOf({ categories, products }: CatalogData): readonly string[] {
  const categoryIds = new Set(categories.map(({ id }) => id));
  return [
    ...(products.length === 0 ? ['it has no products'] : []),
    ...repeated(products.map(({ id }) => id)).map((id) => `two products have the id ${id}`),
    ...repeated(products.map(({ slug }) => slug)).map((slug) => `two products have the slug ${slug}`),
    ...products
      .filter(({ category }) => !categoryIds.has(category))
      .map(({ id, category }) => `product ${id} has the unknown category ${category}`),
  ];
}

function repeated(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
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
