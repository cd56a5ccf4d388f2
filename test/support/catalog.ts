import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { productReader } from '../../src/catalog/product-cells.js';
import { readProducts } from '../../src/catalog/product-file.js';
import type { Product } from '../../src/domain/product.js';
import { projectRoot } from '../../src/project-root.js';

/** Returns the products of the test shop, in display order. */
export function testProducts(): readonly [Product, ...Product[]] {
  const file = readProducts(readFileSync(join(projectRoot, 'sample/products.csv')), 'es-MX');
  const read = productReader({ locale: 'es-MX', hasPicture: () => true });
  const products = (file.ok ? file.rows : []).flatMap(({ cells }) => {
    const reading = read(cells);
    return reading.ok ? [reading.product] : [];
  });
  const [first, ...others] = products;
  if (!first) throw new Error('sample/products.csv has no products');
  return [first, ...others];
}
