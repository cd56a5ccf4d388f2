import type { OrderLine } from '../domain/cart.js';
import { type Locale, textIn } from '../domain/locale.js';
import type { Catalog } from '../domain/product.js';

/**
 * Returns the lines of an order with the product names of `locale`. A line keeps its frozen name if the customer used
 * this locale, or the product is no longer on sale.
 */
export function translateLines<Line extends OrderLine>(
  { findProduct }: Pick<Catalog, 'findProduct'>,
  order: { readonly locale: Locale; readonly lines: readonly Line[] },
  locale: Locale,
): readonly Line[] {
  if (order.locale === locale) return order.lines;
  return order.lines.map((line) => {
    const product = findProduct(line.productId);
    return product ? { ...line, name: textIn(product.name, locale) } : line;
  });
}
