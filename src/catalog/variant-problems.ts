/** The rules of a group: one main product, its variants, and a variant text on each of them. */
import type { Locale } from '../shop/rules/locale.js';
import type { Product } from '../shop/rules/product.js';
import type { CellProblem, ProblemCode } from './file-problems.js';
import { columnOf } from './product-cells.js';

/**
 * Returns a function that checks the place of a product in its group. `products` holds at least the main product and the
 * variants of each product to check, as they are after the change.
 */
export function variantChecker(
  products: Iterable<Product>,
  locale: Locale,
): (product: Product) => readonly CellProblem<ProblemCode>[] {
  const byId = new Map(Array.from(products, (product) => [product.id, product]));
  const mains = new Set(Array.from(byId.values(), ({ variantOf }) => variantOf));
  const column = columnOf('variant', locale);
  return (product) => {
    const { id, variantOf, variant } = product;
    if (variantOf === null && !mains.has(id)) return [];
    if (variantOf !== null) {
      const main = byId.get(variantOf);
      const problem = mainProblem(product, main, mains.has(id));
      if (problem) return [{ column: 'variant_of', ...problem }];
      if (!main?.variant?.label[locale])
        return [{ column: 'variant_of', code: 'main_without', values: { name: column } }];
    }
    return variant?.label[locale] ? [] : [{ column, code: 'missing_in_group' }];
  };
}

function mainProblem(
  { id }: Product,
  main: Product | undefined,
  hasVariants: boolean,
): Omit<CellProblem<ProblemCode>, 'column'> | undefined {
  if (!main) return { code: 'no_main' };
  if (main.id === id) return { code: 'own_main' };
  if (main.variantOf !== null) return { code: 'main_is_variant', values: { main: main.variantOf } };
  return hasVariants ? { code: 'has_variants' } : undefined;
}
