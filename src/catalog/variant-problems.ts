/** The rules of a group: one main product, its variants, and a variant text on each of them. */
import type { Locale } from '../shop/rules/locale.js';
import type { Product } from '../shop/rules/product.js';
import { type CellProblem, columnOf } from './product-cells.js';

/**
 * Returns a function that checks the place of a product in its group. `products` holds at least the main product and the
 * variants of each product to check, as they are after the change.
 */
export function variantChecker(
  products: Iterable<Product>,
  locale: Locale,
): (product: Product) => readonly CellProblem[] {
  const byId = new Map(Array.from(products, (product) => [product.id, product]));
  const mains = new Set(Array.from(byId.values(), ({ variantOf }) => variantOf));
  const column = columnOf('variant', locale);
  return (product) => {
    const { id, variantOf, variant } = product;
    if (variantOf === null && !mains.has(id)) return [];
    if (variantOf !== null) {
      const main = byId.get(variantOf);
      const text =
        mainProblem(product, main, mains.has(id)) ?? (main?.variant?.label[locale] ? '' : `has no ${column}`);
      if (text !== '') return [{ column: 'variant_of', text }];
    }
    return variant?.label[locale] ? [] : [{ column, text: 'is missing in a group of variants' }];
  };
}

function mainProblem({ id }: Product, main: Product | undefined, hasVariants: boolean): string | undefined {
  if (!main) return 'is the id of no product';
  if (main.id === id) return 'is the product itself';
  if (main.variantOf !== null) return `is a variant itself, of "${main.variantOf}"`;
  return hasVariants ? 'is set, but this product has variants itself' : undefined;
}
