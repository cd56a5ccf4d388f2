import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCsv } from '../../src/catalog/csv.js';
import { readProductRows } from '../../src/catalog/product-rows.js';
import type { Product } from '../../src/domain/product.js';
import { projectRoot } from '../../src/project-root.js';

/** Returns the products of `sample/products.csv`, in display order. */
export function sampleProducts(): readonly [Product, ...Product[]] {
  const rows = readCsv(readFileSync(join(projectRoot, 'sample/products.csv'), 'utf8')) ?? [];
  const result = readProductRows(rows);
  const [first, ...others] = result.ok ? result.products : [];
  if (!first) throw new Error('sample/products.csv has no products');
  return [first, ...others];
}
